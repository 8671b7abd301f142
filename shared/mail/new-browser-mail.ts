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
  /** ISO-8601 UTC. Set: the mail is about all sign-ins since then, and the next ones bring no mail. */
  since: z.string().optional(),
});

export type NewBrowserMail = z.infer<typeof newBrowserMailSchema>;

/** The content of the mail's link, which is sealed, so that it reveals nothing about its account. */
const tokenSchema = newBrowserMailSchema.pick({ accountId: true, sessionId: true, since: true });
/** The session that a mail is about; with `since` all of the account that began then or later. */
export type NoticedSession = z.infer<typeof tokenSchema>;

/** The address that ends what a mail is about without a sign-in. */
export function endSessionUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { accountId, sessionId, since }: NoticedSession,
): string {
  const content = JSON.stringify({ accountId, sessionId, since } satisfies NoticedSession);
  return `${appUrl}/end-session?token=${keyring.seal('end-session', content)}`;
}

/** The session that a link names; null for a token that no secret decrypts. */
export function openEndSessionToken(keyring: Keyring, token: string): NoticedSession | null {
  const content = keyring.open('end-session', token);
  return content === null ? null : tokenSchema.parse(JSON.parse(content));
}

/** `url`: ends the session of the sign-in, or with `since` all since then. */
export function newBrowserMailParts({
  browser,
  signedInAt,
  since,
  url,
}: Pick<NewBrowserMail, 'browser' | 'signedInAt' | 'since'> & { url: string }): MailParts {
  const time = formatUkTime(signedInAt);
  if (since !== undefined)
    return {
      subject: `Several new sign-ins to your ${PRODUCT_NAME} account`,
      preview: `More than three within an hour. If they were all yours, there is nothing to do.`,
      paragraphs: [
        `Another browser or app has signed in to your ${PRODUCT_NAME} account for the first time: ${browser}, on ${time}. It is at least the fourth within an hour. We send no emails about further ones until there are fewer again; your account page lists all signed-in browsers.`,
        'If they were all yours, there is nothing to do.',
        'If not, sign them out with the link below: it ends every sign-in from one hour before this email onwards, including later ones. Then change your password on your account page, and those of your mailbox and your Discord account if they are the same.',
      ],
      link: { label: 'They were not all mine: sign them out', url },
    };
  return {
    subject: `New sign-in to your ${PRODUCT_NAME} account`,
    preview: `${browser}, ${time}. If it was you, there is nothing to do.`,
    paragraphs: [
      `A new browser or app has signed in to your ${PRODUCT_NAME} account: ${browser}, on ${time}.`,
      'If it was you, there is nothing to do.',
      'If it was not you, sign it out with the link below. Then change your password on your account page, and those of your mailbox and your Discord account if they are the same.',
    ],
    link: { label: 'It was not me: sign it out', url },
  };
}
