import { Form, Link } from '@remix-run/react';
import type { TokenPackage } from '#shared/tokens/token-packages';
import { formatPounds } from '#shared/money';
import { Badge } from '~/components/ui/badge';
import { Button, buttonClass } from '~/components/ui/button';
import { CardFoot } from '~/components/ui/card';
import {
  NO_APP_YET,
  PAYMENT_HOLDS,
  TOKENS_NEED_PRO,
  type PaymentHold,
} from '~/components/payment/payment-texts';

const POPULAR_INDEX = 1;
const BEST_VALUE_TOKENS = 1000;

function labelsOf({ tokenCount }: TokenPackage, index: number): string[] {
  return [
    ...(index === POPULAR_INDEX ? ['Popular'] : []),
    ...(tokenCount >= BEST_VALUE_TOKENS ? ['Best Value'] : []),
  ];
}

/** The token packages as cards to select one. Leads to the payment step of `page`, with its own `parameters`. */
export function TokenPackages({
  packages,
  page,
  parameters = {},
  paymentHold,
  needsPro,
  hasApp,
  closeTo,
}: {
  packages: readonly TokenPackage[];
  page: string;
  parameters?: Readonly<Record<string, string>>;
  paymentHold: PaymentHold | null;
  needsPro: boolean;
  /** False: there is no desktop app yet that could spend tokens. */
  hasApp: boolean;
  /** The page without the dialog; set in a dialog, where the cards are stacked. */
  closeTo?: string;
}) {
  const narrow = closeTo !== undefined;
  const close = narrow ? (
    <Link to={closeTo} replace preventScrollReset className={buttonClass()}>
      Not now
    </Link>
  ) : null;
  if (packages.length === 0)
    return (
      <>
        <p className="rounded-card border border-dashed border-soft px-4 py-10 text-center text-soft">
          No token packages available at the moment.
        </p>
        {close === null ? null : <p>{close}</p>}
      </>
    );
  return (
    // `reloadDocument`: the payment step has its own Content-Security-Policy.
    <Form method="get" action={page} reloadDocument className="grid gap-4">
      {Object.entries(parameters).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <fieldset>
        <legend className="sr-only">Token packages</legend>
        <div className={`grid gap-3.5 ${narrow ? '' : 'binder sm:grid-cols-3 lg:punched'}`}>
          {packages.map((item, index) => (
            <label
              key={item.id}
              className="relative flex cursor-pointer flex-col gap-2 rounded-pocket border border-line bg-surface p-4 transition hover:border-soft has-checked:border-brand has-checked:shadow-[inset_0_0_0_1px_var(--brand)] has-focus-visible:outline-3 has-focus-visible:outline-offset-3 has-focus-visible:outline-brand"
            >
              <span className="flex min-h-7 flex-wrap items-center gap-2">
                <input
                  type="radio"
                  name="buy"
                  value={item.id}
                  required
                  disabled={paymentHold !== null}
                  className="size-5 accent-brand outline-none"
                />
                <span className="mr-auto min-w-0 font-display text-lead font-bold tracking-[-0.01em] wrap-anywhere">
                  {item.name}
                </span>
                {labelsOf(item, index).map((label) => (
                  <Badge key={label}>{label}</Badge>
                ))}
              </span>
              <span className="font-display text-title leading-none font-bold tracking-[-0.02em]">
                {formatPounds(item.pricePence)}
              </span>
              <span className="wrap-anywhere text-soft">{item.description}</span>
              {narrow ? null : (
                <CardFoot>{`about ${Math.round(item.pricePence / item.tokenCount)}p a token`}</CardFoot>
              )}
            </label>
          ))}
        </div>
      </fieldset>
      {hasApp ? null : <p className="max-w-[44em] font-semibold">{NO_APP_YET}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        {close}
        <Button variant="primary" disabled={paymentHold !== null}>
          Purchase Selected Package
        </Button>
        <p className="max-w-[36em] text-small text-soft">
          {paymentHold === null
            ? 'One payment of the price shown; nothing renews. You see it again and pay on the next page.'
            : PAYMENT_HOLDS[paymentHold].page}
        </p>
      </div>
      {needsPro ? <p className="text-small text-soft">{TOKENS_NEED_PRO}</p> : null}
    </Form>
  );
}
