import { useFetcher } from '@remix-run/react';
import { LiveCard, type LiveMonitor } from '~/components/monitor/live-card';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import type { FormOutcome } from './form-outcome';

/**
 * The monitor as an admin sees it: what it shows, and its switches. A fetcher keeps what came of a press while the
 * page goes on refreshing itself. `sent`: the same when the page itself was the answer, as it is without scripts.
 */
export function MonitorPanel({ live, sent }: { live: LiveMonitor; sent: FormOutcome | null }) {
  const fetcher = useFetcher<FormOutcome>();
  const outcome = fetcher.data ?? sent;
  const pending = fetcher.state === 'idle' ? null : fetcher.formData?.get('intent');
  const { running } = live.status.scheduler;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[1fr_1.1fr]">
      <Panel title="Monitoring">
        <p className="text-soft">
          {running ? 'Monitoring is running.' : 'Monitoring is stopped: no alerts are sent.'} Monitoring
          hours: UK {live.hoursInWords}. You can run a check at any time.
        </p>
        {outcome === null || pending !== null ? null : (
          <Notice kind={outcome.ok ? 'success' : 'error'}>{outcome.message}</Notice>
        )}
        <fetcher.Form method="post" className="flex flex-wrap gap-2.5">
          <Button look="primary" name="intent" value="check" pending={pending === 'check'}>
            Check now
          </Button>
          {running ? (
            <Button name="intent" value="stop" pending={pending === 'stop'}>
              Stop
            </Button>
          ) : (
            <Button name="intent" value="start" pending={pending === 'start'}>
              Start
            </Button>
          )}
        </fetcher.Form>
        {pending === 'check' ? (
          <p role="status" className="text-small text-soft">
            Checking the shop. This can take up to 25 seconds.
          </p>
        ) : null}
      </Panel>
      <LiveCard live={live} />
    </div>
  );
}
