import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import type { LiveWatch } from './live-watch';
import { TestOutcome, type TestDetails } from './test-result';

const INTENTS = ['start', 'stop', 'check', 'test'];

/** The buttons of a watch: Stop or Start, Check now, Send test alert, Latest Debug Data. */
export function Controls({ live, path }: { live: LiveWatch; path: string }) {
  const { Form, result, pendingIntent } = useForms<TestDetails>(
    INTENTS,
    ({ intent, details, values }) => intent !== 'test' || (details?.from ?? values?.from) === 'bar',
  );
  const { running } = live.status.scheduler;
  return (
    <div className="grid gap-3">
      <Form method="post" preventScrollReset className="flex flex-wrap items-center gap-2.5">
        <input type="hidden" name="audience" value="instant" />
        <input type="hidden" name="from" value="bar" />
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
        <Button name="intent" value="test" pending={pendingIntent === 'test'}>
          Send test alert
        </Button>
        <ButtonLink href={`${path}?debug=1`}>Latest Debug Data</ButtonLink>
      </Form>
      {pendingIntent === 'check' ? (
        <p role="status" className="text-small text-soft">
          Checking the shop. This can take up to 25 seconds.
        </p>
      ) : null}
      <FormNotice result={result} />
      <TestOutcome result={result} />
    </div>
  );
}
