import type { openChannel } from './page-channel';

/**
 * Runs in the browser (see stripe-js.ts). Shows the bank's page over everything else: a fixed layer at the end of the
 * body, as Stripe does. Resolves when the buyer has answered and the layer is gone.
 */
export function openChallenge(
  parts: { openChannel: typeof openChannel },
  { origin, url }: { origin: string; url: string },
): Promise<void> {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const layer = document.createElement('div');
    Object.assign(layer.style, {
      position: 'fixed',
      inset: '0',
      zIndex: '2147483647',
      display: 'block',
      background: 'rgba(12, 15, 30, 0.6)',
    });
    const frame = document.createElement('iframe');
    frame.name = `__privateStripeFrame${Math.floor(Math.random() * 1e6)}`;
    frame.title = '3D Secure authentication';
    Object.assign(frame.style, { border: '0', width: '100%', height: '100%', display: 'block' });
    frame.style.colorScheme = 'light only';
    const channel = parts.openChannel(frame, origin, (type) => {
      if (type !== 'challenge-done') return;
      channel.close();
      layer.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve();
    });
    frame.addEventListener('load', () => frame.focus());
    const address = new URL(url, origin);
    address.searchParams.set('frame', '1');
    frame.src = address.href;
    layer.append(frame);
    document.body.append(layer);
  });
}
