import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test('The operators’ guide names every event of Stripe that is handled, and no other', () => {
  const [, listed = ''] =
    /and these events: (.*?)\. Set `STRIPE_WEBHOOK_SECRET`/.exec(read('docs/operating.md')) ?? [];
  const documented = [...listed.matchAll(/`([\w.]+)`/g)].map(([, type]) => type);
  const handled = [...read('shared/billing/store-event.server.ts').matchAll(/case '([\w.]+)':/g)].map(
    ([, type]) => type,
  );
  expect(handled.length).toBeGreaterThan(10);
  expect(documented.toSorted()).toEqual(handled.toSorted());
});
