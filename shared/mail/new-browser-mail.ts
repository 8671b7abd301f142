import { z } from 'zod';
import { PRODUCT_NAME } from '../brand';
import type { Keyring } from '../secrets.server';
import type { MailParts } from './mail-parts';
import { formatUkTime } from './uk-time';

/** The facts of a mail about the first sign-in of a browser. */
export const newBrowserMailSchema = z.object({
  template: z.literal('new_browser'),
  accountId: z.string(),
  sessionId: z.string(),
  /** As `describeBrowser` returns it. */
  browser: z.string(),
  /** ISO-8601 UTC. */
  signedInAt: z.string(),
});

export type NewBrowserMail = z.infer<typeof newBrowserMailSchema>;

/** What the link of the mail holds, sealed: it reveals nothing of its account. */
const tokenSchema = newBrowserMailSchema.pick({ accountId: true, sessionId: true });
export type NoticedSession = z.infer<typeof tokenSchema>;

/** The address that ends a session without a sign-in. */
export function endSessionUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { accountId, sessionId }: NoticedSession,
): string {
  const content = JSON.stringify({ accountId, sessionId } satisfies NoticedSession);
  return `${appUrl}/end-session?token=${keyring.seal('end-session', content)}`;
}

/** The session that a link names; null for a token that no secret opens. */
export function openEndSessionToken(keyring: Keyring, token: string): NoticedSession | null {
  const content = keyring.open('end-session', token);
  return content === null ? null : tokenSchema.parse(JSON.parse(content));
}

/** `url`: ends the session of the sign-in. */
export function newBrowserMailParts({
  browser,
  signedInAt,
  url,
}: Pick<NewBrowserMail, 'browser' | 'signedInAt'> & { url: string }): MailParts {
  const time = formatUkTime(signedInAt);
  return {
    subject: `New sign-in to your ${PRODUCT_NAME} account`,
    preview: `${browser}, ${time}. If it was you, there is nothing to do.`,
    paragraphs: [
      `A browser or an app that has not signed in to your ${PRODUCT_NAME} account before has done so now: ${browser}, on ${time}.`,
      'If it was you, there is nothing to do.',
      'If it was not you, sign it out with the link below. Then change your password on your account page, and those of your mailbox and your Discord account if you use the same one there.',
    ],
    link: { label: 'It was not me: sign it out', url },
  };
}
