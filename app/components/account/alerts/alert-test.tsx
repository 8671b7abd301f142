import { useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import { SECOND } from '#shared/clock';
import { DELIVERY_WORDS, type DeliveryState } from '#shared/alerts/deliveries/delivery-state';
import type { TestResult } from '#shared/member-alerts/read-test-results';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { clockAndDay } from '~/components/time/time-format';
import { Button } from '~/components/ui/button';
import { useHydrated } from '~/components/ui/use-hydrated';
import { describeDevice } from '#shared/accounts/describe-device';

export interface TestView {
  requestedAt: string;
  results: TestResult[];
}

const REFRESH_INTERVAL_MS = 2 * SECOND;
const UNFINISHED: readonly DeliveryState[] = ['waiting', 'sending', 'tryingAgain'];

/** Refreshes the page's data while a test is being sent and the page is visible. */
function useRefreshWhile(unfinished: boolean): void {
  const { revalidate, state } = useRevalidator();
  const isIdle = state === 'idle';
  useEffect(() => {
    if (!unfinished || !isIdle) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') revalidate();
    }, REFRESH_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [unfinished, isIdle, revalidate]);
}

/** The button that sends a test, and how the newest test went. */
export function AlertTest({ test, email, now }: { test: TestView | null; email: string; now: string }) {
  const { Form, result, pendingIntent } = useForms(['test']);
  const unfinished = test?.results.some(({ state }) => UNFINISHED.includes(state)) ?? false;
  useRefreshWhile(unfinished);
  const hydrated = useHydrated();
  return (
    <section aria-labelledby="test-title" className="grid gap-3 border-t border-line pt-4">
      <h3 id="test-title" className="font-semibold">
        Do alerts reach you?
      </h3>
      <FormNotice result={result} />
      <Form method="post" preventScrollReset className="grid justify-items-start gap-2">
        <Button name="intent" value="test" pending={pendingIntent === 'test'}>
          Send me a test
        </Button>
        <p className="text-small text-soft">It is sent as your saved preferences say.</p>
      </Form>
      {test === null ? null : (
        <div>
          <p className="text-small text-soft">
            Your last test,{' '}
            <time dateTime={test.requestedAt}>{clockAndDay(test.requestedAt, Date.parse(now))}</time>
            {unfinished && !hydrated ? '. Reload this page to see the result.' : ''}
          </p>
          <ul className="mt-1.5 grid gap-1.5">
            {test.results.map(({ channel, userAgent, state, reason }, index) => (
              <li key={index} className="min-w-0 wrap-anywhere">
                {channel === 'email' ? email : describeDevice(userAgent)}:{' '}
                <strong className={state === 'failed' || state === 'expired' ? 'text-live' : undefined}>
                  {DELIVERY_WORDS[state]}
                </strong>
                {reason === null || state === 'sent' ? null : <span className="text-soft">, {reason}</span>}
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
