import { useState, type ReactNode } from 'react';
import { formatPounds } from '#shared/money';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { CardArea } from './card-area';
import { everyPeriod, perPeriod } from './plan-period';
import type { PaymentStepFacts } from './payment-facts';
import { describeDifference, NO_APP_YET, TOKENS_NEED_PRO } from './payment-texts';

const TITLES = {
  subscription: 'Complete Subscription',
  tokens: 'Complete Token Purchase',
  confirm: 'Confirm Payment',
} as const;

/** The title of the payment step. */
export function titleOfStep({ kind }: PaymentStepFacts): string {
  return TITLES[kind];
}

/**
 * The step in which the member pays: what is due beside the card form. It is a separate page and no modal dialog,
 * because Stripe puts the bank's window at the end of the page, where a modal dialog would make it inert.
 */
export function PaymentStep({ step }: { step: PaymentStepFacts }) {
  const [duePence, setDuePence] = useState<number | null>(null);
  return (
    <>
      {/* A separate document: the next page needs no script of Stripe. */}
      <a href={step.leaveTo} className={LINK_BUTTON_CLASS}>
        ← Back
      </a>
      <h1 className="mt-2 text-heading">{titleOfStep(step)}</h1>
      <div className="mt-7 grid items-start gap-5 lg:grid-cols-[1fr_1.25fr]">
        <Panel title="What you pay">
          <Summary step={step} duePence={duePence} />
        </Panel>
        <Panel title="How you pay">
          <CardArea step={step} onDue={setDuePence} />
          {step.kind === 'confirm' ? (
            <HostedInvoice href={step.hostedInvoiceUrl} />
          ) : (
            <HostedCheckout step={step} />
          )}
        </Panel>
      </div>
    </>
  );
}

/** `noteLines`: the height of the note, so that nothing below moves when it changes. */
function Amount({ pence, note, noteLines = 1 }: { pence: number; note: string; noteLines?: 1 | 2 }) {
  return (
    <p>
      <span className="block font-display text-heading leading-none font-bold tracking-[-0.02em]">
        {formatPounds(pence)}
      </span>
      <span className={`mt-1.5 block wrap-anywhere text-soft ${noteLines === 2 ? 'min-h-[2lh]' : ''}`}>
        {note}
      </span>
    </p>
  );
}

const Points = ({ children }: { children: ReactNode }) => (
  <ul className="grid list-disc gap-1.5 pl-5 marker:text-soft">{children}</ul>
);

/** `duePence`: what Stripe's first invoice of a subscription asks for; null until Stripe has said it. */
function Summary({ step, duePence }: { step: PaymentStepFacts; duePence: number | null }) {
  const price = formatPounds(step.amountPence);
  switch (step.kind) {
    case 'subscription':
      return (
        <>
          <Amount
            pence={duePence ?? step.amountPence}
            noteLines={2}
            note={`today, for ${step.name} (${perPeriod(step.durationDays)})${describeDifference(step.amountPence, duePence)}`}
          />
          <Points>
            <li>
              It renews automatically: {price} {everyPeriod(step.durationDays)}, less any credit, from the
              same card.
            </li>
            <li>Cancel under Dashboard, Subscription. Pro then runs until the end of the paid period.</li>
            <li>You get a receipt by email.</li>
          </Points>
        </>
      );
    case 'tokens':
      return (
        <>
          <Amount
            pence={step.amountPence}
            note={`today, once, for ${step.tokenCount.toLocaleString('en-GB')} tokens`}
          />
          <Points>
            <li>Nothing renews, and there is nothing to cancel.</li>
            <li>You get a receipt by email.</li>
          </Points>
          {step.hasApp ? null : <p className="font-semibold">{NO_APP_YET}</p>}
          {step.needsPro ? <p className="text-soft">{TOKENS_NEED_PRO}</p> : null}
        </>
      );
    case 'confirm':
      return (
        <>
          <Amount pence={step.amountPence} note="today, for the open invoice of your subscription" />
          <Points>
            <li>It is charged once, when you have confirmed it with your bank or paid with another card.</li>
            <li>To stop instead, cancel under Dashboard, Subscription.</li>
          </Points>
        </>
      );
  }
}

/** Stripe’s own payment page: the way to pay without scripts, and when the card form does not load. */
function HostedCheckout({ step }: { step: Exclude<PaymentStepFacts, { kind: 'confirm' }> }) {
  const intent = `checkout-${step.kind}`;
  const { Form, result, pending } = useForms([intent]);
  return (
    <div className="grid gap-3 border-t border-line pt-4 noscript:border-0 noscript:pt-0">
      <FormNotice result={result} />
      <Form method="post" className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <input type="hidden" name="packageId" value={step.packageId} />
        {/* Without scripts it is the one way to pay, and looks like it. */}
        {(['plain', 'primary'] as const).map((variant) => (
          <span key={variant} className={variant === 'plain' ? 'noscript:hidden' : 'hidden noscript:inline'}>
            <Button variant={variant} name="intent" value={intent} pending={pending !== null}>
              Pay on Stripe’s page
            </Button>
          </span>
        ))}
        <span className="text-small text-soft">
          {step.kind === 'tokens'
            ? `${formatPounds(step.amountPence)} on Stripe’s own site, which brings you back here.`
            : 'Stripe’s own site shows what is due before you pay, and brings you back here.'}
        </span>
      </Form>
    </div>
  );
}

function HostedInvoice({ href }: { href: string }) {
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4 noscript:border-0 noscript:pt-0">
      <a href={href} rel="noreferrer" className={buttonClass()}>
        Pay on Stripe’s page
      </a>
      <span className="text-small text-soft">The same payment, on Stripe’s own site.</span>
    </p>
  );
}
