import { PRODUCT_NAME } from '../brand';
import { fromIso } from '../clock';
import { formatPounds } from '../money';
import type { MailParts } from './mail-parts';
import type { PaymentMail } from './payment-mails';

type MailOf<Template extends PaymentMail['template']> = Extract<PaymentMail, { template: Template }>;

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const numberFormat = new Intl.NumberFormat('en-GB');

/** A stored time as its date in the UK: "14 December 2026". */
const dateOf = (iso: string) => dateFormat.format(fromIso(iso));

const tokensOf = (count: number) =>
  `${numberFormat.format(count)} ${Math.abs(count) === 1 ? 'token' : 'tokens'}`;

function tokensBought(
  { packageName, tokenCount, amountPence, paidAt }: MailOf<'tokens_bought'>,
  appUrl: string,
): MailParts {
  const price = formatPounds(amountPence);
  const tokens = tokensOf(tokenCount);
  return {
    subject: `Your receipt: ${tokens} for ${price}`,
    preview: `Thank you! ${tokens} are in your balance.`,
    paragraphs: [
      `Thank you! We received your payment of ${price} for ${packageName} on ${dateOf(paidAt)}.`,
      `The ${tokens} are in your balance. They do not expire. The desktop app, which comes with Pro, spends them: one for each checkout attempt, or two with a managed proxy.`,
      'There is nothing else to do. If you did not buy them, please reply to this email.',
    ],
    link: { label: 'See your tokens', url: `${appUrl}/dashboard/subscription?tab=tokens` },
  };
}

function balanceSentence(balance: number): string {
  if (balance >= 0) return `Your balance is now ${tokensOf(balance)}.`;
  return `Some of them were already spent, so your balance is now ${tokensOf(balance)}. The next tokens that you buy cover these first.`;
}

function tokensTakenBack(
  { reason, packageName, amountPence, tokens, balance }: MailOf<'tokens_taken_back'>,
  appUrl: string,
): MailParts {
  const price = formatPounds(amountPence);
  const taken = tokensOf(tokens);
  const link = { label: 'See your tokens', url: `${appUrl}/dashboard/subscription?tab=tokens` };
  if (reason === 'refund')
    return {
      subject: `Your refund of ${price}`,
      preview: `${price} for ${packageName} is on its way back to you.`,
      paragraphs: [
        `We refunded ${price} of your payment for ${packageName}. It goes back the way you paid; your bank may take five to ten days to show it.`,
        `In return ${taken} left your balance. ${balanceSentence(balance)}`,
        'There is nothing else to do.',
      ],
      link,
    };
  return {
    subject: `Your bank disputes your payment of ${price}`,
    preview: `Until that is decided, ${taken} are taken from your balance.`,
    paragraphs: [
      `Your bank told us that your payment of ${price} for ${packageName} is disputed.`,
      `Until that is decided, ${taken} are taken from your balance. ${balanceSentence(balance)} If the dispute is decided in our favour, you get them back.`,
      'If you did not mean to dispute it, ask your bank to withdraw the dispute. If something went wrong with the purchase, please reply to this email: we would like to put it right.',
    ],
    link,
  };
}

const PAID_OPENINGS = {
  first: 'Welcome to Pro, and thank you!',
  renewal: 'Thank you for staying with Pro!',
  change: 'Thank you! Your new plan starts today.',
} as const;

function subscriptionPaid(
  { reason, packageName, amountPence, paidAt, renewsAt }: MailOf<'subscription_paid'>,
  appUrl: string,
): MailParts {
  const price = formatPounds(amountPence);
  const charged =
    amountPence > 0
      ? `We received your payment of ${price} for ${packageName} on ${dateOf(paidAt)}.`
      : `Nothing was charged for ${packageName} on ${dateOf(paidAt)}: your credit covered it.`;
  const next =
    renewsAt === null
      ? 'It does not renew: nothing more will be charged.'
      : `It renews automatically on ${dateOf(renewsAt)}. To stop that, cancel before then: Pro continues until that day, and nothing more is charged.`;
  return {
    subject: `Your receipt: ${packageName}, ${price}`,
    preview:
      renewsAt === null
        ? `${PAID_OPENINGS[reason]} It does not renew.`
        : `${PAID_OPENINGS[reason]} It renews on ${dateOf(renewsAt)}.`,
    paragraphs: [`${PAID_OPENINGS[reason]} ${charged}`, next],
    link: { label: 'Manage your subscription', url: `${appUrl}/dashboard/subscription` },
  };
}

function renewalConfirmation(
  { packageName, amountPence, graceUntil }: MailOf<'renewal_confirmation'>,
  appUrl: string,
): MailParts {
  const price = formatPounds(amountPence);
  return {
    subject: `Please confirm your payment of ${price} for ${packageName}`,
    preview:
      graceUntil === null
        ? 'Your bank asks you to confirm it.'
        : `Your bank asks you to confirm it by ${dateOf(graceUntil)}.`,
    paragraphs: [
      `${packageName} is due for renewal, and your bank asks you to confirm the payment of ${price}. It takes a minute.`,
      graceUntil === null
        ? 'Your account is free until you do.'
        : `Pro continues until ${dateOf(graceUntil)}, so that you have time. Confirm before then to keep it.`,
      'Nothing is charged before you confirm. If you no longer want Pro, there is nothing to do: it ends automatically.',
    ],
    link: { label: 'Confirm the payment', url: `${appUrl}/dashboard/subscription?confirm=1` },
  };
}

function renewalFailed(
  { packageName, amountPence, graceUntil }: MailOf<'renewal_failed'>,
  appUrl: string,
): MailParts {
  const price = formatPounds(amountPence);
  return {
    subject: `Your payment of ${price} for ${packageName} failed`,
    preview:
      graceUntil === null
        ? 'Please update your card.'
        : `Pro continues until ${dateOf(graceUntil)}. Please update your card.`,
    paragraphs: [
      `${packageName} was due for renewal, but your card was refused, so the ${price} was not paid. That is often a card that has expired or been replaced.`,
      graceUntil === null
        ? 'Your account is free until it is paid.'
        : `Pro continues until ${dateOf(graceUntil)}. Update your card before then to keep it.`,
      'If you no longer want Pro, there is nothing to do: it ends automatically.',
    ],
    link: { label: 'Update your card', url: `${appUrl}/dashboard/subscription` },
  };
}

function subscriptionEnded({ packageName, reason }: MailOf<'subscription_ended'>, appUrl: string): MailParts {
  return {
    subject: `${packageName} has ended`,
    preview: 'Your account is now free, and nothing more will be charged.',
    paragraphs: [
      reason === 'canceled'
        ? `${packageName} has ended, and your account is now free. Nothing more will be charged. Thank you for being with us!`
        : `The renewal of ${packageName} was not paid in time, so it has ended and your account is now free. Nothing more will be charged.`,
      'Your tokens stay in your balance and do not expire. Alerts still reach you on Discord, thirty seconds later than with Pro; by email and as notifications they stop.',
      `You are welcome back at any time: choose a plan on ${PRODUCT_NAME} and Pro starts at once.`,
    ],
    link: { label: 'See the plans', url: `${appUrl}/dashboard/subscription` },
  };
}

/** The parts of a mail about a payment. `appUrl`: public base of the site, without a trailing slash. */
export function paymentMailParts(mail: PaymentMail, appUrl: string): MailParts {
  switch (mail.template) {
    case 'tokens_bought':
      return tokensBought(mail, appUrl);
    case 'tokens_taken_back':
      return tokensTakenBack(mail, appUrl);
    case 'subscription_paid':
      return subscriptionPaid(mail, appUrl);
    case 'renewal_confirmation':
      return renewalConfirmation(mail, appUrl);
    case 'renewal_failed':
      return renewalFailed(mail, appUrl);
    case 'subscription_ended':
      return subscriptionEnded(mail, appUrl);
  }
}
