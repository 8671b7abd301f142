import { z } from 'zod';
import { PRODUCT_NAME } from '../brand';
import type { Keyring } from '../secrets.server';
import type { MailParts } from './mail-parts';
import { formatUkTime } from './uk-time';

/** The facts of a mail with the link to an archive of the member's data. */
export const dataExportMailSchema = z.object({
  template: z.literal('data_export'),
  exportId: z.string(),
  /** ISO-8601 UTC. */
  availableUntil: z.string(),
});

export type DataExportMail = z.infer<typeof dataExportMailSchema>;

/** The address of the page that gives the archive to its owner. */
export function dataExportUrl(
  { keyring, appUrl }: { keyring: Keyring; appUrl: string },
  { exportId }: Pick<DataExportMail, 'exportId'>,
): string {
  return `${appUrl}/account/data?token=${keyring.seal('data-export', exportId)}`;
}

/** `url`: as `dataExportUrl` makes it. */
export function dataExportMailParts({
  availableUntil,
  url,
}: Pick<DataExportMail, 'availableUntil'> & { url: string }): MailParts {
  return {
    subject: `Your ${PRODUCT_NAME} data is ready`,
    preview: 'The link works once, for a day, when you are signed in.',
    paragraphs: [
      `The archive of your ${PRODUCT_NAME} data is ready.`,
      `The link works once, until ${formatUkTime(availableUntil)}, in a browser that is signed in to your account. After that we delete the archive; you can request another one on your account page.`,
      'If you did not request it, change your password on your account page, and sign out the browsers that you do not recognise. The archive can only be downloaded with this link.',
    ],
    link: { label: 'Download your data', url },
  };
}
