import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import type { LiveWatch, WatchSettings } from './live-watch';

/** The buttons of a watch: Stop or Start, Check now. */
export function Controls({ live, settings }: { live: LiveWatch; settings: WatchSettings }) {
  const { Form, result, pendingIntent } = useForms(['start', 'stop', 'check']);
  const { running } = live.status.scheduler;
  return (
    <div className="grid gap-3">
      <FormNotice result={result} />
      <Form method="post" className="flex flex-wrap items-center gap-2.5">
        {running ? (
          <Button name="intent" value="stop" pending={pendingIntent === 'stop'}>
            Stop
          </Button>
        ) : (
          <Button name="intent" value="start" pending={pendingIntent === 'start'}>
            Start
          </Button>
        )}
        <Button variant="primary" name="intent" value="check" pending={pendingIntent === 'check'}>
          Check now
        </Button>
        <p className="text-soft">
          {running ? 'Watching' : 'Stopped. Hours:'} UK {settings.hoursInWords}, every{' '}
          {settings.intervalSeconds} s
        </p>
      </Form>
    </div>
  );
}
