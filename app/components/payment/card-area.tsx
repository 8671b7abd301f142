import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { useEffect, useRef, useState } from 'react';
import { formatPounds } from '#shared/money';
import { useForms } from '~/components/forms/use-forms';
import { useLeaving } from '~/components/forms/use-leaving';
import { useLazyModule } from '~/components/lazy/use-lazy-module';
import { Button, buttonClass } from '~/components/ui/button';
import { Spinner } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { SUBSCRIPTION, withParameters } from './addresses';
import { BankConfirmation } from './bank-confirmation';
import type { CreatedPayment, PaymentStepFacts, StripeForBrowser } from './payment-facts';
import { CARD_ERRORS } from './payment-texts';

let loading: Promise<StripeConstructor> | null = null;

function loadScript(jsUrl: string): Promise<StripeConstructor> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = jsUrl;
    script.async = true;
    script.onload = () =>
      window.Stripe === undefined
        ? reject(new Error('the script did not define Stripe'))
        : resolve(window.Stripe);
    script.onerror = () => {
      script.remove();
      reject(new Error('Stripe.js did not load'));
    };
    document.head.append(script);
  });
}

/**
 * Loads Stripe.js from the configured address, once per document. `loadStripe` of @stripe/stripe-js always uses
 * Stripe's own address. Resolves with null if it cannot be loaded; the next call tries again.
 */
async function loadStripe({ jsUrl, publishableKey }: StripeForBrowser): Promise<Stripe | null> {
  loading ??= window.Stripe === undefined ? loadScript(jsUrl) : Promise.resolve(window.Stripe);
  try {
    return (await loading)(publishableKey);
  } catch {
    loading = null;
    return null;
  }
}

const loadCardForm = () => import('./card-form');

/** The page that shows the outcome of a confirmed subscription payment. */
const CONFIRMED = withParameters(SUBSCRIPTION, { confirmed: '1' });

const loadPage = () => window.location.reload();

/** The purpose of a payment to create. */
type NewStep = Exclude<PaymentStepFacts, { kind: 'confirm' }>;

/** Creates the payment, then shows the card form; with scripts only. `onDue`: called with a new payment's pence. */
export function CardArea({ step, onDue }: { step: PaymentStepFacts; onDue: (pence: number) => void }) {
  return (
    <div className="noscript:hidden">
      {step.kind === 'confirm' ? (
        <CardPayment
          step={step}
          payment={{ clientSecret: step.clientSecret, amountPence: step.amountPence, outcome: CONFIRMED }}
        />
      ) : (
        <NewPayment step={step} onDue={onDue} />
      )}
    </div>
  );
}

/** As high as the card form, so that nothing below moves when the form loads. */
const FORM_HEIGHT = 'min-h-[14.5rem]';

function Creating() {
  return (
    <p role="status" className={`flex items-start gap-3 py-2 font-semibold ${FORM_HEIGHT}`}>
      <Spinner />
      Creating Payment...
    </p>
  );
}

/** Creates the payment on the server, which returns an existing open one, so that repeating this charges nothing. */
function NewPayment({ step, onDue }: { step: NewStep; onDue: (pence: number) => void }) {
  const intent = `start-${step.kind}`;
  const { submit, result } = useForms<CreatedPayment>([intent]);
  const requested = useRef(false);
  const createPayment = () => submit({ intent, packageId: step.packageId }, { method: 'post' });

  useEffect(() => {
    if (requested.current) return;
    requested.current = true;
    createPayment();
  });

  const payment = result?.ok === true ? (result.details ?? null) : null;
  const due = payment?.amountPence;
  useEffect(() => {
    if (due !== undefined) onDue(due);
  }, [due, onDue]);

  if (payment !== null) return <CardPayment step={step} payment={payment} />;
  if (result === null) return <Creating />;
  return (
    <div className="grid justify-items-start gap-4">
      <Notice kind="error">{result.message}</Notice>
      <Button type="button" onClick={createPayment}>
        Try again
      </Button>
    </div>
  );
}

/** Stripe.js; undefined while it loads, null if it did not load. */
function useStripeJs({ stripe }: PaymentStepFacts): Stripe | null | undefined {
  const { jsUrl, publishableKey } = stripe;
  const [loaded, setLoaded] = useState<Stripe | null>();
  useEffect(() => {
    let unmounted = false;
    void loadStripe({ jsUrl, publishableKey }).then((result) => {
      if (!unmounted) setLoaded(result);
    });
    return () => {
      unmounted = true;
    };
  }, [jsUrl, publishableKey]);
  return loaded;
}

/** Replaces the card form after the payment, in case the next page does not load. */
function NothingToPay({ next }: { next: string }) {
  return (
    <div className={`grid content-start justify-items-start gap-4 ${FORM_HEIGHT}`}>
      <p role="status">There is nothing more to pay here.</p>
      <a href={next} className={buttonClass('primary')}>
        Continue
      </a>
    </div>
  );
}

function CardPayment({ step, payment }: { step: PaymentStepFacts; payment: CreatedPayment }) {
  const stripe = useStripeJs(step);
  const cardForm = useLazyModule('card-form', loadCardForm);
  const { clientSecret, amountPence, outcome } = payment;
  // The page to open once nothing is left to pay.
  const [next, setNext] = useState(clientSecret === null ? outcome : null);
  const [leaving, leave] = useLeaving();
  const showOutcome = () => {
    leave();
    // Stripe adds the same parameter when a bank redirects back to `return_url` (Stripe.js docs).
    setNext(withParameters(outcome, { redirect_status: 'succeeded' }));
  };

  useEffect(() => {
    if (next !== null) window.location.replace(next);
  }, [next]);

  if (next !== null && !leaving) return <NothingToPay next={next} />;
  if (stripe === null || cardForm === null)
    return (
      <div className="grid justify-items-start gap-4">
        <Notice kind="error">{CARD_ERRORS.notLoaded}</Notice>
        <Button type="button" onClick={loadPage}>
          Try again
        </Button>
      </div>
    );
  if (stripe === undefined || cardForm === undefined || clientSecret === null) return <Creating />;
  const CardForm = cardForm.default;
  const form = (
    <CardForm
      stripe={stripe}
      clientSecret={clientSecret}
      label={`Pay ${formatPounds(amountPence)}`}
      returnUrl={new URL(outcome, window.location.origin).href}
      onPaid={showOutcome}
    />
  );
  return step.kind === 'confirm' ? (
    <BankConfirmation
      stripe={stripe}
      clientSecret={clientSecret}
      label={`Confirm ${formatPounds(amountPence)}`}
      onPaid={showOutcome}
      busy={<Creating />}
    >
      {form}
    </BankConfirmation>
  ) : (
    form
  );
}
