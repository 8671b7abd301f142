import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { useRef, useState, type FormEvent } from 'react';
import { usePageShown } from '~/components/forms/use-leaving';
import { Button } from '~/components/ui/button';
import { CardFailureNotice } from './card-failure-notice';
import { failureOf, UNEXPECTED_FAILURE, type CardFailure } from './card-result';
import { CARD_ERRORS } from './payment-texts';
import { useAppearance } from './use-appearance';

interface CardFormProps {
  /** The button's text: what it charges. */
  label: string;
  /** The page that shows the outcome, as an absolute URL: a bank may redirect the browser to its own site and back. */
  returnUrl: string;
  /** Called when the payment has succeeded or is being processed, as Stripe reports to the browser. */
  onPaid: () => void;
}

/** Stripe's card form. The card's numbers stay in Stripe's frame. */
export default function CardForm({
  stripe,
  clientSecret,
  ...form
}: CardFormProps & { stripe: Stripe | null; clientSecret: string }) {
  const appearance = useAppearance();
  return (
    <Elements stripe={stripe} options={{ clientSecret, appearance, locale: 'en-GB' }}>
      <Fields {...form} />
    </Elements>
  );
}

function Fields({ label, returnUrl, onPaid }: CardFormProps) {
  const stripe = useStripe();
  const elements = useElements();
  const [ready, setReady] = useState(false);
  const [paying, setPaying] = useState(false);
  const [failure, setFailure] = useState<CardFailure | null>(null);
  // A second press before the next render would confirm twice.
  const isPaying = useRef(false);

  // A bank's page may lead back here, with the state of before from the back/forward cache.
  usePageShown((persisted) => {
    if (!persisted) return;
    isPaying.current = false;
    setPaying(false);
  });

  async function confirm(): Promise<CardFailure | null> {
    if (stripe === null || elements === null) return { reason: CARD_ERRORS.notLoaded, help: null };
    if (elements.getElement('payment') === null) return { reason: CARD_ERRORS.noCardForm, help: null };
    try {
      const { error: invalid } = await elements.submit();
      if (invalid !== undefined) return failureOf({ error: invalid });
      return failureOf(
        await stripe.confirmPayment({
          elements,
          confirmParams: { return_url: returnUrl },
          redirect: 'if_required',
        }),
      );
    } catch {
      return UNEXPECTED_FAILURE;
    }
  }

  async function pay(event: FormEvent) {
    event.preventDefault();
    if (isPaying.current) return;
    isPaying.current = true;
    setPaying(true);
    setFailure(null);
    const failed = await confirm();
    if (failed === null) return onPaid();
    isPaying.current = false;
    setPaying(false);
    setFailure(failed);
  }

  return (
    <form onSubmit={(event) => void pay(event)} aria-label="Card payment" className="grid gap-5">
      {/* The height of the fields, so that nothing below moves when they arrive. */}
      <div className="min-h-[10.5rem]">
        <PaymentElement
          options={{ layout: 'tabs' }}
          onReady={() => setReady(true)}
          onLoadError={({ error }) =>
            setFailure({ reason: error.message ?? CARD_ERRORS.noCardForm, help: null })
          }
        />
      </div>
      {failure === null ? null : <CardFailureNotice failure={failure} />}
      <Button variant="primary" wide pending={paying} disabled={!ready}>
        {paying ? 'Paying…' : label}
      </Button>
    </form>
  );
}
