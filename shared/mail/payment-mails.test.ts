import { describe, expect, it } from 'vitest';
import type { PaymentMail } from './payment-mails';
import { renderMail } from './render-mail';

const APP_URL = 'https://packwatch.test';
const PAGE = `${APP_URL}/dashboard/subscription`;

const render = (mail: PaymentMail) => renderMail(mail, APP_URL);

const bought: PaymentMail = {
  template: 'tokens_bought',
  packageName: '1,000 Tokens',
  tokenCount: 1000,
  amountPence: 4999,
  paidAt: '2026-11-22T23:30:00.000Z',
};
const refunded: PaymentMail = {
  template: 'tokens_taken_back',
  reason: 'refund',
  packageName: '50 Tokens',
  amountPence: 10,
  tokens: 1,
  balance: 12,
};
const paid: PaymentMail = {
  template: 'subscription_paid',
  reason: 'first',
  packageName: 'Pro Monthly',
  amountPence: 999,
  paidAt: '2026-06-30T23:30:00.000Z',
  renewsAt: '2026-07-30T23:30:00.000Z',
};
const confirmation: PaymentMail = {
  template: 'renewal_confirmation',
  packageName: 'Pro Yearly',
  invoiceId: 'in_secret',
  amountPence: 9590,
  graceUntil: '2026-12-25T12:00:00.000Z',
};
const failed: PaymentMail = { ...confirmation, template: 'renewal_failed' };
const ended: PaymentMail = { template: 'subscription_ended', packageName: 'Pro Monthly', reason: 'canceled' };

describe('a mail about a payment', () => {
  it('for tokens says what was paid, when, for what, and where they are', () => {
    const { subject, text } = render(bought);
    expect(subject).toBe('Your receipt: 1,000 tokens for £49.99');
    expect(text).toContain('your payment of £49.99 for 1,000 Tokens on 22 November 2026.');
    expect(text).toContain('They do not expire.');
    expect(text).toContain(`See your tokens: ${PAGE}?tab=tokens\n`);
  });

  it('for a refund says the amount, the tokens and the balance, also when tokens are owed', () => {
    expect(render(refunded).subject).toBe('Your refund of £0.10');
    expect(render(refunded).text).toContain('1 token left your balance. Your balance is now 12 tokens.');
    expect(render({ ...refunded, tokens: 50, balance: -38 }).text).toContain(
      'Some of them were already spent, so your balance is now -38 tokens.',
    );
  });

  it('for a dispute says what happens to the tokens and what to do', () => {
    const { subject, text } = render({ ...refunded, reason: 'dispute', amountPence: 499, tokens: 50 });
    expect(subject).toBe('Your bank disputes your payment of £4.99');
    expect(text).toContain('Until that is decided, 50 tokens are taken from your balance.');
    expect(text).toContain('ask your bank to withdraw the dispute');
  });

  it('for a subscription says in UK dates when it renews and how to stop it', () => {
    const { subject, text } = render(paid);
    expect(subject).toBe('Your receipt: Pro Monthly, £9.99');
    // Summer time: half past eleven in UTC is the next day in London.
    expect(text).toContain('your payment of £9.99 for Pro Monthly on 1 July 2026.');
    expect(text).toContain('It renews automatically on 31 July 2026. To stop that, cancel before then');
    expect(render({ ...paid, reason: 'renewal' }).text).toMatch(/^Thank you for staying with Pro! /);
    const changed = render({ ...paid, reason: 'change', amountPence: 0, renewsAt: null }).text;
    expect(changed).toContain('Nothing was charged for Pro Monthly on 1 July 2026: your credit covered it.');
    expect(changed).toContain('It does not renew: nothing more will be charged.');
  });

  it('for a renewal that needs confirmation leads to where it is confirmed', () => {
    const { subject, text } = render(confirmation);
    expect(subject).toBe('Please confirm your payment of £95.90 for Pro Yearly');
    expect(text).toContain('Pro continues until 25 December 2026');
    expect(text).toContain(`Confirm the payment: ${PAGE}?confirm=1\n`);
    expect(render({ ...confirmation, graceUntil: null }).text).toContain(
      'Your account is free until you do.',
    );
  });

  it('for a failed renewal says until when Pro continues and leads to the card', () => {
    const { subject, text } = render(failed);
    expect(subject).toBe('Your payment of £95.90 for Pro Yearly failed');
    expect(text).toContain('Pro continues until 25 December 2026. Update your card before then to keep it.');
    expect(text).toContain(`Update your card: ${PAGE}\n`);
    expect(render({ ...failed, graceUntil: null }).text).toContain('Your account is free until it is paid.');
  });

  it('for a subscription that ended says why, and that nothing more is charged', () => {
    expect(render(ended)).toMatchObject({ subject: 'Pro Monthly has ended' });
    expect(render(ended).text).toContain('Nothing more will be charged. Thank you for being with us!');
    expect(render({ ...ended, reason: 'unpaid' }).text).toContain('was not paid in time');
  });

  it.each([bought, refunded, { ...refunded, reason: 'dispute' as const }, paid, confirmation, failed, ended])(
    'of template $template holds the same in text and HTML, escaped, and no id of Stripe',
    (mail) => {
      const { text, html } = render({ ...mail, packageName: '<b>Pro</b> & "more"' });
      expect(html).not.toContain('<b>Pro</b>');
      const words = html
        .replace(/<title>.*<\/title>|<div style="display:none.*?<\/div>|<[^>]+>/gs, ' ')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&');
      for (const paragraph of text.split('\n\n').slice(0, -2)) expect(words).toContain(paragraph);
      const url = /: (https:\S+)$/m.exec(text)?.[1] ?? 'no link';
      expect(html).toContain(`<a href="${url}"`);
      expect(text + html).not.toContain('in_secret');
    },
  );
});
