import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe, Appearance } from '@stripe/stripe-js';
import { useRef, useState, type FormEvent, useEffect } from 'react';
import { usePageShown } from '~/components/forms/use-leaving';
import { Button } from '~/components/ui/button';
import { CardFailureNotice } from './card-failure-notice';
import { failureOf, UNEXPECTED_FAILURE, type CardFailure } from './card-result';
import { CARD_ERRORS } from './payment-texts';

/** Stripe.js reads hex and rgb colours only, and our tokens are oklch with two themes: the browser converts them. */
function readColour(token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (context === null) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

function readAppearance(): Appearance {
  const [ink, soft, page, surface, line, brand, live] = [
    '--ink',
    '--ink-soft',
    '--page',
    '--surface',
    '--line',
    '--brand',
    '--live',
  ].map(readColour) as [string, string, string, string, string, string, string];
  return {
    theme: 'flat',
    labels: 'above',
    variables: {
      colorPrimary: brand,
      colorBackground: page,
      colorText: ink,
      colorTextSecondary: soft,
      colorTextPlaceholder: soft,
      colorDanger: live,
      colorIcon: soft,
      fontFamily: '"Hanken Grotesk", Arial, "Liberation Sans", sans-serif',
      fontSizeBase: '16px',
      borderRadius: '10px',
      spacingUnit: '4px',
      gridRowSpacing: '18px',
    },
    rules: {
      '.Input': { border: `1px solid ${soft}`, padding: '11px 14px' },
      '.Input:focus': { outline: `3px solid ${brand}`, outlineOffset: '1px' },
      '.Input--invalid': { border: `1px solid ${live}` },
      '.Label': { fontWeight: '600', fontSize: '16px', color: ink },
      '.Error': { color: live, fontSize: '13.5px' },
      '.Tab': { border: `1px solid ${line}`, backgroundColor: surface },
      '.Tab--selected': { border: `1px solid ${brand}` },
    },
  };
}

/** The look of Stripe's card form: that of our fields, in the theme that is shown. It follows a change of the theme. */
function useAppearance(): Appearance {
  const [appearance, setAppearance] = useState(readAppearance);
  useEffect(() => {
    const update = () => setAppearance(readAppearance());
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    const chosen = new MutationObserver(update);
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    system.addEventListener('change', update);
    return () => {
      chosen.disconnect();
      system.removeEventListener('change', update);
    };
  }, []);
  return appearance;
}

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
