import type { LoaderFunctionArgs } from '@remix-run/node';
import { PRODUCT_NAME } from '#shared/brand';
import { DAY, fromIso, toIso } from '#shared/clock';
import type { ListedProduct } from '#shared/products/offer';
import { productPath, retailerWords } from '~/components/products/product-words';
import { serverContext } from '~/http/server/context.server';
import { withTextFailures } from '~/http/server/failures.server';
import { publicText } from '~/routes/site/public-text.server';
import { readProductSnapshot } from '~/routes/api/calls/public-products.server';

/** Older release days are left out. */
const PAST_DAYS = 31;
/** RFC 5545, section 3.1: a longer line is folded, counted in octets without the line break. */
const LINE_OCTETS = 75;

/** A text as a value (RFC 5545, section 3.3.11), without control characters. */
const escapeText = (text: string): string =>
  text.replace(/\p{Cc}+/gu, ' ').replace(/[\\;,]/g, (character) => `\\${character}`);

/** A content line, folded between characters: the lines after the first begin with a space. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

/** "20261127" of 2026-11-27. */
const dateOf = (day: string): string => day.replaceAll('-', '');

function eventOf(
  { id, slug, title, releasedOn, createdAt, offers }: ListedProduct & { releasedOn: string },
  appUrl: string,
): string[] {
  const names = [...new Set(offers.map(({ retailer }) => retailer.name))];
  return [
    'BEGIN:VEVENT',
    `UID:${id}@${new URL(appUrl).hostname}`,
    `DTSTAMP:${createdAt.replace(/[-:]|\.\d+/g, '')}`,
    `DTSTART;VALUE=DATE:${dateOf(releasedOn)}`,
    `DTEND;VALUE=DATE:${dateOf(toIso(fromIso(releasedOn) + DAY).slice(0, 10))}`,
    `SUMMARY:${escapeText(`${title}: release day`)}`,
    `DESCRIPTION:${escapeText(`At ${retailerWords(names)}.`)}`,
    `URL:${appUrl}${productPath(slug)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** The release days of products as a calendar (RFC 5545). */
export function loader({ request }: LoaderFunctionArgs) {
  return withTextFailures(async () => {
    const { appUrl } = serverContext().config;
    const { now, products } = await readProductSnapshot('free');
    const oldest = toIso(now - PAST_DAYS * DAY).slice(0, 10);
    const lines = [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      `PRODID:-//${PRODUCT_NAME}//Releases//EN`,
      'CALSCALE:GREGORIAN',
      `X-WR-CALNAME:${PRODUCT_NAME}: release days`,
      ...products.flatMap((product) => {
        const { releasedOn } = product;
        return releasedOn === null || releasedOn < oldest ? [] : eventOf({ ...product, releasedOn }, appUrl);
      }),
      'END:VCALENDAR',
    ];
    return publicText(request, lines.map((line) => `${fold(line)}\r\n`).join(''), 'text/calendar');
  });
}
