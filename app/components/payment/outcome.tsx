import { useLocation, useRevalidator } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { SECOND } from '#shared/clock';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import type { PaymentOutcome } from './payment-facts';
import { NOT_CHARGED } from './decline-help';
import { CARD_ERRORS } from './payment-texts';

const POLL_INTERVAL_MS = SECOND;
const POLL_LIMIT_MS = 20 * SECOND;

/** Reloads the page's data at intervals while a payment waits for Stripe's event. Returns whether the limit has passed. */
function usePolling(waiting: boolean): boolean {
  const { revalidate, state } = useRevalidator();
  const [since] = useState(() => Date.now());
  const [givenUp, setGivenUp] = useState(false);
  useEffect(() => {
    if (!waiting || givenUp || state !== 'idle') return;
    const timer = setTimeout(() => {
      if (Date.now() - since >= POLL_LIMIT_MS) setGivenUp(true);
      else revalidate();
    }, POLL_INTERVAL_MS);
    return () => clearTimeout(timer);
  }, [waiting, givenUp, state, since, revalidate]);
  return givenUp;
}

const TEXTS = {
  subscription: {
    success: 'Subscription upgraded successfully!',
    soon: 'Pro appears here in a moment.',
    received: 'Your payment was received. Pro will be active within a few minutes; you can leave this page.',
  },
  tokens: {
    success: 'Tokens purchased successfully!',
    soon: 'They appear in your balance in a moment.',
    received:
      'Your payment was received. Your tokens will arrive within a few minutes; you can leave this page.',
  },
  confirm: {
    success: 'Your payment is confirmed.',
    soon: 'Your plan will change in a moment.',
    received:
      'Your payment was received. Your plan will change within a few minutes; you can leave this page.',
  },
} as const;

/** The outcome of a payment. While it waits for Stripe's event, the page polls each second, for 20 seconds. */
export function Outcome({ outcome }: { outcome: PaymentOutcome }) {
  const { kind, state, reported, retry } = outcome;
  const givenUp = usePolling(state === 'waiting');
  const { pathname, search } = useLocation();
  const texts = TEXTS[kind];
  const checkLink = (
    <a
      href={pathname + search}
      className={`${LINK_BUTTON_CLASS} noscript:inline-flex ${givenUp ? '' : 'hidden'}`}
    >
      Check again
    </a>
  );
  if (state === 'done') return <Notice kind="success">{texts.success}</Notice>;
  if (state === 'failed' || state === 'left' || reported === 'failed')
    return (
      <div className="grid gap-2">
        <Notice kind="error">
          {CARD_ERRORS.notCompleted}.{' '}
          <a href={retry} className={LINK_BUTTON_CLASS}>
            Try again
          </a>
        </Notice>
        <p>
          {state === 'left'
            ? `You left Stripe’s page before paying. ${NOT_CHARGED}`
            : `${NOT_CHARGED} Try again, use another card, or ask your bank to allow the payment.`}
        </p>
      </div>
    );
  if (reported === 'paid')
    return (
      <Notice kind="success">
        {texts.success} {givenUp ? texts.received : texts.soon} {checkLink}
      </Notice>
    );
  return (
    <Notice kind="success">
      {givenUp
        ? 'Stripe has not confirmed a payment yet. If you have paid, your account will be updated soon; if not, nothing was charged.'
        : 'Waiting for Stripe to confirm your payment…'}{' '}
      {checkLink}
    </Notice>
  );
}
