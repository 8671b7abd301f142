import { FormNotice, useForms } from '~/components/forms/use-forms';
import { LiveCard, type LiveMonitor } from '~/components/monitor/live-card';
import { Panel } from '~/components/ui/panel';
import { Button } from '~/components/ui/button';

const STATUS_FAILED = 'Failed to update monitoring status';

/** The specification's error messages, by intent. */
export const MONITOR_FAILED = {
  start: STATUS_FAILED,
  stop: STATUS_FAILED,
  check: 'Failed to trigger check',
} as const;

/** The monitor's controls for admins, next to its live card. */
export function MonitorPanel({ live }: { live: LiveMonitor }) {
  const { Form, result, pendingIntent } = useForms(['start', 'stop', 'check']);
  const { running } = live.status.scheduler;
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[1fr_1.1fr]">
      <Panel title="Monitoring">
        <p className="text-soft">
          {running ? 'Monitoring is running.' : 'Monitoring is stopped: no alerts are sent.'} Monitoring
          hours: UK {live.hoursInWords}. You can run a check at any time.
        </p>
        <FormNotice result={result} />
        <Form method="post" className="flex flex-wrap gap-2.5">
          <Button variant="primary" name="intent" value="check" pending={pendingIntent === 'check'}>
            Check now
          </Button>
          {running ? (
            <Button name="intent" value="stop" pending={pendingIntent === 'stop'}>
              Stop
            </Button>
          ) : (
            <Button name="intent" value="start" pending={pendingIntent === 'start'}>
              Start
            </Button>
          )}
        </Form>
        {pendingIntent === 'check' ? (
          <p role="status" className="text-small text-soft">
            Checking the shop. This can take up to 25 seconds.
          </p>
        ) : null}
      </Panel>
      <LiveCard live={live} />
    </div>
  );
}
