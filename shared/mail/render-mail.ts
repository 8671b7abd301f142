import { PRODUCT_NAME } from '../brand';
import { escapeHtml } from '../text';
import { accountDeletionMailParts } from './account-deletion-mail';
import { dataExportMailParts } from './data-export-mail';
import type { MailParts } from './mail-parts';
import { newBrowserMailParts } from './new-browser-mail';
import { passkeyMailParts } from './passkey-mail';
import { paymentMailParts } from './payment-mail-parts';
import type { PaymentMail } from './payment-mails';

/** The content of a mail, independent of its recipient. */
export type MailContent =
  | { template: 'code'; code: string }
  | { template: 'already_registered' | 'beta_approved' | 'password_changed' }
  | ({ template: 'new_browser' } & Parameters<typeof newBrowserMailParts>[0])
  | ({ template: 'data_export' } & Parameters<typeof dataExportMailParts>[0])
  | (Omit<Parameters<typeof passkeyMailParts>[0], 'url'> & { template: 'passkey' })
  | ({ template: 'account_deletion' } & Parameters<typeof accountDeletionMailParts>[0])
  | PaymentMail;

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

function partsOf(content: MailContent, appUrl: string): MailParts {
  switch (content.template) {
    case 'code':
      return {
        subject: `${content.code} is your ${PRODUCT_NAME} code`,
        preview: `Your verification code is ${content.code}. It works once, for 10 minutes.`,
        paragraphs: [
          `Your ${PRODUCT_NAME} verification code is:`,
          'It works once, for 10 minutes. Enter it where you requested it, and do not share it. We never ask for it.',
          'If you did not request a code, somebody may have mistyped an address. You do not need to do anything: without the code nothing happens.',
        ],
        highlight: content.code,
      };
    case 'already_registered':
      return {
        subject: `You already have a ${PRODUCT_NAME} account`,
        preview: 'Somebody tried to register with your address. Nothing has changed.',
        paragraphs: [
          `Somebody, perhaps you, tried to register at ${PRODUCT_NAME} with this address. It already has an account, so nothing has changed.`,
          'If it was you, sign in instead. If it was not, you do not need to do anything.',
        ],
        link: { label: 'Sign in', url: `${appUrl}/login` },
      };
    case 'beta_approved':
      return {
        subject: `You are in the ${PRODUCT_NAME} beta`,
        preview: 'Your request for beta access is approved.',
        paragraphs: [
          `Your request for beta access to ${PRODUCT_NAME} is approved.`,
          'Your dashboard shows your plan and where your alerts arrive. Your account page chooses how else they reach you with Pro: by email, and as notifications on your devices.',
        ],
        link: { label: 'Go to your dashboard', url: `${appUrl}/dashboard` },
      };
    case 'password_changed':
      return {
        subject: `Your ${PRODUCT_NAME} password was changed`,
        preview: 'If it was you, there is nothing to do.',
        paragraphs: [
          `The password of your ${PRODUCT_NAME} account was changed or set for the first time, and all other browsers and apps were signed out.`,
          'If it was you, there is nothing to do.',
          'If it was not you, sign in with Discord, choose another password on your account page, and reply to this email: we can close the account to everyone until it is yours again.',
        ],
        link: { label: 'Your account', url: `${appUrl}/account#password` },
      };
    case 'new_browser':
      return newBrowserMailParts(content);
    case 'data_export':
      return dataExportMailParts(content);
    case 'passkey':
      return passkeyMailParts({ ...content, url: `${appUrl}/account#passkeys` });
    case 'account_deletion':
      return accountDeletionMailParts(content);
    default:
      return paymentMailParts(content, appUrl);
  }
}

function renderText({ paragraphs, highlight, link, footer }: MailParts, appUrl: string): string {
  const [first = '', ...rest] = paragraphs;
  const blocks = [
    first,
    ...(highlight === undefined ? [] : [`    ${highlight}`]),
    ...rest,
    ...(link === undefined ? [] : [`${link.label}: ${link.url}`]),
    `${PRODUCT_NAME}, ${appUrl}${footer === undefined ? '' : `\n${footer.label}: ${footer.url}`}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

function renderHtml(
  { subject, preview, paragraphs, highlight, link, footer }: MailParts,
  appUrl: string,
): string {
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const [first = '', ...rest] = paragraphs;
  const large =
    highlight === undefined
      ? ''
      : `<p style="margin:0 0 16px;font:700 32px/1.25 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px">${escapeHtml(highlight)}</p>`;
  const button =
    link === undefined
      ? ''
      : `<p style="margin:0 0 16px"><a href="${escapeHtml(link.url)}" style="color:#3d3cc4;font-weight:600">${escapeHtml(link.label)}</a></p>`;
  const second =
    footer === undefined
      ? ''
      : `<br><a href="${escapeHtml(footer.url)}" style="color:#5b6076">${escapeHtml(footer.label)}</a>`;
  return `<!DOCTYPE html>
<html lang="en-GB">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;background:#f7f5ef;color:#1d2136;font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<div style="max-width:520px;margin:0 auto;padding:28px;background:#fdfcf9;border:1px solid #dcd8cc;border-radius:16px">
${paragraph(first)}${large}${rest.map(paragraph).join('')}${button}
<p style="margin:24px 0 0;color:#5b6076;font-size:14px">${PRODUCT_NAME}, <a href="${escapeHtml(appUrl)}" style="color:#5b6076">${escapeHtml(appUrl)}</a>${second}</p>
</div>
</body>
</html>
`;
}

/** A mail's subject, plain text and HTML. `appUrl`: public base of the site, without a trailing slash. */
export function renderMail(content: MailContent, appUrl: string): RenderedMail {
  return renderParts(partsOf(content, appUrl), appUrl);
}

/** The parts of a mail as subject, plain text and HTML. */
export function renderParts(parts: MailParts, appUrl: string): RenderedMail {
  return { subject: parts.subject, text: renderText(parts, appUrl), html: renderHtml(parts, appUrl) };
}
