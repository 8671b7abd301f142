import type { ReactNode } from 'react';
import { PageNav } from '~/components/page/page-nav';
import type { PaymentStepFacts } from '~/components/payment/payment-facts';
import { PaymentStep, titleOfStep } from '~/components/payment/payment-step';
import type { PageHandle } from '~/components/site/page-handle';
import { titled } from '~/components/site/page-title';

/** The data of a page that shows the payment step instead of its content while its address opens one. */
type PaymentPageData = { kind: 'step'; step: PaymentStepFacts } | { kind: string };

/** Beside the result of a failed action the data is missing: undefined or null. */
const stepOf = (loaded: PaymentPageData | null | undefined) =>
  loaded !== undefined && loaded !== null && 'step' in loaded ? loaded.step : null;

/** The handle of such a page: only its step loads Stripe.js. */
export const paymentHandle: PageHandle = {
  paysWithStripe: true,
  loadsStripe: (loaded) => stepOf(loaded as PaymentPageData | null | undefined) !== null,
};

/** The title of such a page: that of its step, else `title`. */
export function paymentTitle(loaded: PaymentPageData | null | undefined, title: string) {
  const step = stepOf(loaded);
  return titled(step === null ? title : titleOfStep(step));
}

/** The payment step, else `children`. */
export function PaymentPage({ loaded, children }: { loaded: PaymentPageData; children: ReactNode }) {
  const step = stepOf(loaded);
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        {step === null ? children : <PaymentStep step={step} />}
      </main>
    </>
  );
}
