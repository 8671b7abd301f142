import type { Appearance } from '@stripe/stripe-js';
import { useEffect, useState } from 'react';

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
export function useAppearance(): Appearance {
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
