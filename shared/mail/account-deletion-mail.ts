import { z } from 'zod';
import { PRODUCT_NAME } from '../brand';
import { counted } from '../format';
import type { Keyring } from '../secrets.server';
import type { MailParts } from './mail-parts';
import { formatUkTime } from './uk-time';

/** The facts of a mail about the requested deletion of an account. */
export const accountDeletionMailSchema = z.object({
  template: z.literal('account_deletion'),
  accountId: z.string(),
  /** ISO-8601 UTC, as `deleteAfter`. */
  requestedAt: z.string(),
  deleteAfter: z.string(),
  /** Days of Pro that were paid for and are lost; 0 for none. */
  unusedDays: z.number(),
});

export type AccountDeletionMail = z.infer<typeof accountDeletionMailSchema>;

/** The content of the mail's link, which is sealed, so that it reveals nothing about its account. */
const tokenSchema = accountDeletionMailSchema.pick({ accountId: true, requestedAt: true });
export type RequestedDeletion = z.infer<typeof tokenSchema>;

/** The address that takes a deletion back without a sign-in. */
export function keepAccountUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { accountId, requestedAt }: RequestedDeletion,
): string {
  const content = JSON.stringify({ accountId, requestedAt } satisfies RequestedDeletion);
  return `${appUrl}/keep-account?token=${keyring.seal('keep-account', content)}`;
}

/** The deletion that a link names; null for a token that no secret opens. */
export function openKeepAccountToken(keyring: Keyring, token: string): RequestedDeletion | null {
  const content = keyring.open('keep-account', token);
  return content === null ? null : tokenSchema.parse(JSON.parse(content));
}

/** `url`: as `keepAccountUrl` makes it. */
export function accountDeletionMailParts({
  deleteAfter,
  unusedDays,
  url,
}: Pick<AccountDeletionMail, 'deleteAfter' | 'unusedDays'> & { url: string }): MailParts {
  const time = formatUkTime(deleteAfter);
  return {
    subject: `Your ${PRODUCT_NAME} account will be deleted`,
    preview: `On ${time}. Until then you can keep it.`,
    paragraphs: [
      `The deletion of your ${PRODUCT_NAME} account was requested. It is signed out everywhere, gets no alerts, and will be deleted on ${time}. You will get no other email before that.`,
      'If you want to keep it, use the link below before then. Your follows, preferences, tokens and purchases will be unchanged. You only need to sign in again and allow notifications again on your devices.',
      ...(unusedDays === 0
        ? ['Any subscription has ended and cannot be restored.']
        : [
            `Your subscription has ended, with ${counted(unusedDays, 'paid day')} of Pro left, and cannot be restored. If you think you should get a refund for them, reply to this email.`,
          ]),
      'If it was not you, keep the account, then change your password, and those of your mailbox and your Discord account if they are the same.',
    ],
    link: { label: 'Keep my account', url },
  };
}
