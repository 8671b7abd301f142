import type { Stripe } from '@stripe/stripe-js';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { usePageShown } from '~/components/forms/use-leaving';
import { Button } from '~/components/ui/button';
import { CardFailureNotice } from './card-failure-notice';
import { failureOf, isPaid, UNEXPECTED_FAILURE, type CardFailure } from './card-result';

/** Confirms a payment with its card, in the bank's window. Without a card, or when refused, `children` asks for one. */
export function BankConfirmation({
  stripe,
  clientSecret,
  label,
  onPaid,
  busy,
  children,
}: {
  stripe: Stripe;
  clientSecret: string;
  label: string;
  onPaid: () => void;
  /** Shown until Stripe has said how the payment stands. */
  busy: ReactNode;
  children: ReactNode;
}) {
  const [step, setStep] = useState<'reading' | 'bank' | 'card'>('reading');
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<CardFailure | null>(null);
  const leave = useRef(onPaid);

  // The bank's page may lead back here, with the state of before from the back/forward cache.
  usePageShown((persisted) => {
    if (persisted) setConfirming(false);
  });

  useEffect(() => {
    let unmounted = false;
    const read = async () => {
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
      if (unmounted) return;
      if (isPaid(paymentIntent)) leave.current();
      else setStep(paymentIntent?.status === 'requires_action' ? 'bank' : 'card');
    };
    read().catch(() => {
      if (!unmounted) setStep('card');
    });
    return () => {
      unmounted = true;
    };
  }, [stripe, clientSecret]);

  async function confirm() {
    setConfirming(true);
    setFailure(null);
    const failed = await stripe
      .handleNextAction({ clientSecret })
      .then(failureOf)
      .catch(() => UNEXPECTED_FAILURE);
    if (failed === null) return onPaid();
    setConfirming(false);
    setFailure(failed);
    setStep('card');
  }

  if (step === 'reading') return busy;
  return (
    <div className="grid gap-4">
      {failure === null ? null : <CardFailureNotice failure={failure} />}
      {step === 'card' ? (
        children
      ) : (
        <>
          <p>Your bank asks you to confirm this payment with the card on file.</p>
          <Button type="button" variant="primary" wide pending={confirming} onClick={() => void confirm()}>
            {label}
          </Button>
          <p>
            <Button type="button" variant="link" onClick={() => setStep('card')}>
              Pay with another card
            </Button>
          </p>
        </>
      )}
    </div>
  );
}
