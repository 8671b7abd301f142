import { PRODUCT_NAME } from '../brand';
import { fromIso } from '../clock';
import { renderParts, type RenderedMail } from './render-mail';

/** A mail to a member about a waiting room, or the test of one. */
export interface AlertMail {
  kind: 'alert' | 'test';
  watch: { shop: string; title: string; slug: string };
  /** When the waiting room opened, ISO; of a test: when it was requested. */
  openedAt: string;
  /** Where the mail leads: the shop's page. */
  link: string;
  /** Public base of the site, without a trailing slash. */
  appUrl: string;
  unsubscribeUrl: string;
}

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

/** A mail to a member about a product that they follow. */
export interface OfferMail extends Pick<AlertMail, 'openedAt' | 'link' | 'appUrl' | 'unsubscribeUrl'> {
  /** Such as "Chest is back in stock". */
  title: string;
  /** Retailer, price, availability, in one line. */
  body: string;
  /** Where the link leads; null: to our page of the product. */
  retailer: string | null;
  /** Of the product. */
  slug: string;
}

type AlertMailParts = Omit<Parameters<typeof renderParts>[0], 'footer'>;

/** The mail with its headers. `text` and `html` end with the unsubscribe link. */
function withUnsubscribe(
  parts: AlertMailParts,
  { appUrl, unsubscribeUrl }: Pick<AlertMail, 'appUrl' | 'unsubscribeUrl'>,
): RenderedMail & { headers: Record<string, string> } {
  const footer = { label: 'Unsubscribe from alert emails', url: unsubscribeUrl };
  return {
    ...renderParts({ ...parts, footer }, appUrl),
    headers: {
      'Auto-Submitted': 'auto-generated',
      // One click: RFC 8058, section 3.1. The mail server signs both headers with DKIM (section 4).
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}

const clockTime = (iso: string): string => `${timeFormat.format(fromIso(iso))} UK time`;

/** The mail about a followed product, as `withUnsubscribe`. */
export function renderOfferMail({ title, body, retailer, slug, openedAt, link, ...common }: OfferMail) {
  return withUnsubscribe(
    {
      subject: title,
      preview: body,
      paragraphs: [
        retailer === null ? `${title}.` : `${title}. We saw it at ${clockTime(openedAt)}.`,
        body,
        `You receive this email because you follow the product. Change your alerts, or stop following it: ${common.appUrl}/restock/${slug}/follow`,
      ],
      link:
        retailer === null
          ? { label: 'Stock and price', url: `${common.appUrl}/restock/${slug}` }
          : { label: `Go to ${retailer}`, url: link },
    },
    common,
  );
}

/** The mail about a waiting room, or a test of one, as `withUnsubscribe`. */
export function renderAlertMail({
  kind,
  watch: { shop, title },
  openedAt,
  link,
  appUrl,
  unsubscribeUrl,
}: AlertMail) {
  const time = clockTime(openedAt);
  const name = title === shop ? shop : `${shop} (${title})`;
  const parts =
    kind === 'alert'
      ? {
          subject: `${shop}: the waiting room is open`,
          preview: `It opened at ${time}. Join now.`,
          paragraphs: [
            `The waiting room of ${name} opened at ${time}.`,
            'Join now: the earlier you are in the queue, the better. It may close at any time.',
          ],
          link: { label: `Go to ${shop}`, url: link },
        }
      : {
          subject: `Test: alerts from ${PRODUCT_NAME} reach you`,
          preview: 'Nothing has opened. This is the test that you requested.',
          paragraphs: [
            `This is the test that you requested at ${time}. Nothing has opened.`,
            `When a waiting room opens, for example that of ${name}, an email like this one tells you at once, with a link to the shop. Email alerts are part of Pro.`,
          ],
          link: { label: 'Your alert preferences', url: `${appUrl}/account#alerts` },
        };
  return withUnsubscribe(parts, { appUrl, unsubscribeUrl });
}
