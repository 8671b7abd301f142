import { z } from 'zod';
import { PRODUCT_NAME } from '../brand';
import type { MailParts } from './mail-parts';
import { formatUkTime } from './uk-time';

/** The facts of a mail about a passkey. */
export const passkeyMailSchema = z.object({
  template: z.literal('passkey'),
  /** refused: its counter went back at a sign-in. */
  change: z.enum(['added', 'removed', 'refused']),
  name: z.string(),
  /** ISO-8601 UTC. */
  at: z.string(),
});

export type PasskeyMail = z.infer<typeof passkeyMailSchema>;

const IF_NOT_YOU = 'If it was you, there is nothing to do.';

/** Per change: the subject, what happened, and what to do. */
const TEXTS: Record<PasskeyMail['change'], (name: string, time: string) => [string, ...string[]]> = {
  added: (name, time) => [
    `A passkey was added to your ${PRODUCT_NAME} account`,
    `A passkey was added to your ${PRODUCT_NAME} account on ${time}: “${name}”. It can be used to sign in without a password or a code.`,
    IF_NOT_YOU,
    'If it was not you, remove it on your account page, sign out everywhere else there, and change your password.',
  ],
  removed: (name, time) => [
    `A passkey was removed from your ${PRODUCT_NAME} account`,
    `The passkey “${name}” was removed from your ${PRODUCT_NAME} account on ${time}. It can no longer be used to sign in.`,
    IF_NOT_YOU,
    'If it was not you, sign out everywhere else on your account page, and change your password.',
  ],
  refused: (name, time) => [
    `A sign-in to your ${PRODUCT_NAME} account was refused`,
    `Somebody tried to sign in to your ${PRODUCT_NAME} account with the passkey “${name}” on ${time}. Its counter had decreased, which can mean that the authenticator was copied. The sign-in was refused, as will be any later one with this passkey.`,
    'Please sign in another way, remove the passkey on your account page, and add a new one. All your other passkeys work as before.',
  ],
};

/** `url`: the account page. */
export function passkeyMailParts({
  change,
  name,
  at,
  url,
}: Omit<PasskeyMail, 'template'> & { url: string }): MailParts {
  const [subject, happened = '', ...rest] = TEXTS[change](name, formatUkTime(at));
  return {
    subject,
    preview: `“${name}”, ${formatUkTime(at)}.`,
    paragraphs: [happened, ...rest],
    link: { label: 'Your passkeys', url },
  };
}
