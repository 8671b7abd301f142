import type { Price } from '#shared/monitor/checks/verdict';

/** A noncharacter (unicode.org, corrigendum 9), which no page shows. Stands between two inline elements of a line, where words may end. */
export const BOUNDARY = '\ufdd0';
/** Stands before a raised part of a number: `£49<sup>99</sup>`. */
export const RAISED = '\ufdd1';

const SIGNS: Readonly<Record<string, string>> = {
  '£': 'GBP',
  '€': 'EUR',
  $: 'USD',
  us$: 'USD',
  a$: 'AUD',
  au$: 'AUD',
  c$: 'CAD',
  ca$: 'CAD',
  '¥': 'JPY',
  '￥': 'JPY',
  '￡': 'GBP',
  円: 'JPY',
  元: 'CNY',
  원: 'KRW',
  '₹': 'INR',
  zł: 'PLN',
  zl: 'PLN',
  kč: 'CZK',
  ft: 'HUF',
  r$: 'BRL',
  kr: 'SEK',
  yen: 'JPY',
  pounds: 'GBP',
  euros: 'EUR',
  euro: 'EUR',
};
const CODES = 'gbp|eur|usd|aud|cad|nzd|jpy|chf|pln|sek|nok|dkk|czk|huf|inr|brl';
/** Currencies without minor units (ISO 4217). */
const WHOLE: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const DOLLARS: ReadonlySet<string> = new Set(['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD']);
const KRONER: ReadonlySet<string> = new Set(['SEK', 'NOK', 'DKK', 'ISK']);

const SIGN = `(?<![a-z])(?:us\\$|au?\\$|ca?\\$|r\\$|(?:${CODES})(?![a-z])|kr(?![a-z]))|[£€$¥₹￡￥]`;
const SIGN_BEHIND = `[£€¥￡￥円元원]|\\$|(?:${CODES})(?![a-z])|zł|zl(?![a-z])|kr(?![a-z])|kč|ft(?![a-z])|(?:yen|pounds|euros?)(?![a-z])`;
const NUMBER = `\\d{1,3}(?:[ .,'’\\u00a0\\u202f\\u2009]\\d{3}){1,3}(?:[.,]\\d{1,2})?(?!\\d)|\\d{1,7}(?:[.,]\\d{1,2})?(?!\\d)`;
/** Far cheaper than the whole pattern: most lines with digits hold no price. */
const SIGNED = new RegExp(`[£€$¥₹￡￥円元원]|${CODES}|kr|kč|zł|zl|ft|yen|pounds`, 'i');
const PRICE = new RegExp(
  `(${SIGN})[\\s\\u00a0:]{0,3}(${NUMBER})|(?:^|[^\\d.,])(${NUMBER})(?:[.,][-–]{1,2})?[\\s\\u00a0]{0,2}(${SIGN_BEHIND})`,
  'gi',
);

/** A price in a text, and where it stands. */
export interface FoundPrice extends Price {
  start: number;
  end: number;
  /** Whether the text shows the currency, and no sign that several share. */
  isCertain: boolean;
}

/** A text with marks of its elements, such that numbers stay whole: `49` + raised `99` is 49.99. */
export function priceText(text: string): string {
  // "49€90", "119€<sup>99</sup>", "54<sup>€99</sup>"
  const whole = text.replace(/(\d)[\ufdd0\ufdd1]{0,6}€[\ufdd0\ufdd1]{0,6}(\d{2})(?![\d.,])/g, '$1.$2€');
  if (!/[\ufdd0\ufdd1]/.test(whole)) return whole.replace(/\s+/g, ' ');
  return (
    whole
      .replaceAll(BOUNDARY.repeat(2), BOUNDARY)
      .replace(/(\d)\ufdd0*\ufdd1\ufdd0*([.,])/g, '$1$2')
      .replace(/(\d)\ufdd0*\ufdd1\ufdd0*(\d{2})(?!\d)/g, '$1.$2')
      // `<span>£</span><span>49</span><span>99</span>`
      .replace(/([£€$]\ufdd0{0,6}\d{1,3}(?:,\d{3})?)\ufdd0{1,6}(\d\d)(?=\ufdd0|$)/g, '$1.$2')
      .replace(/(?<![\d.,])(\d{1,4})\ufdd0{1,6}(\d\d)(?=\ufdd0{1,6}(?:€|zł|kr))/g, '$1.$2')
      .replace(/(\d)\ufdd0+(?=\d)/g, '$1 ')
      .replace(/([.,])\ufdd0*\ufdd1\ufdd0*(?=\d)/g, '$1')
      .replace(/[\ufdd1\ufdd0]+/g, '')
      .replace(/\s+/g, ' ')
  );
}

/** The prices in a text, in minor units. `currency`: the page's, which decides what `$` and `kr` mean. Zero is no price. */
export function findPrices(text: string, currency: string | null): FoundPrice[] {
  if (!/\d/.test(text)) return [];
  if (!SIGNED.test(text)) {
    const pence = /^\s*(?:price:? |only |just |now )?(\d{1,2})p(?: each)?\s*$/i.exec(text)?.[1];
    if (pence === undefined || Number(pence) === 0) return [];
    return [{ amount: Number(pence), currency: 'GBP', start: 0, end: text.length, isCertain: true }];
  }
  const found: FoundPrice[] = [];
  PRICE.lastIndex = 0;
  for (let match = PRICE.exec(text); match !== null && found.length < 40; match = PRICE.exec(text)) {
    const sign = (match[1] ?? match[4] ?? '').toLowerCase();
    const code = currencyOf(sign, currency);
    const amount = toMinorUnits(match[2] ?? match[3] ?? '', code);
    if (amount === null) continue;
    const isCertain = sign !== '$' && sign !== 'kr';
    const end = match.index + match[0].length;
    // The pattern of a sign after the number also matches text before the number.
    const start = match[3] === undefined ? match.index : match.index + match[0].indexOf(match[3]);
    found.push({ amount, currency: code, start, end, isCertain });
  }
  return found;
}

function currencyOf(sign: string, currency: string | null): string {
  if (sign === '$' && currency !== null && DOLLARS.has(currency)) return currency;
  if (sign === 'kr' && currency !== null && KRONER.has(currency)) return currency;
  return SIGNS[sign] ?? sign.toUpperCase();
}

/** An amount such as "1.299,00", "1,299.00", "2879.2" or "45" in minor units. Null for zero and for other texts. */
function toMinorUnits(text: string, currency: string): number | null {
  const digits = text.replace(/[\s'’\u00a0\u202f\u2009]/g, '');
  const match = /^(\d{1,3}(?:[.,]\d{3}){1,3}|\d{1,9})(?:[.,](\d{1,2}|\d{4,6}))?$/.exec(digits);
  if (match === null) return null;
  const whole = (match[1] ?? '').replace(/[.,]/g, '');
  const rest = `${match[2] ?? ''}00`.slice(0, 2);
  const amount = WHOLE.has(currency) ? Number(whole) : Number(`${whole}${rest}`);
  return amount > 0 && amount <= 1_000_000_000 ? amount : null;
}

/** An amount of structured data: a number, or a text with or without a currency. Null for zero and for what is none. */
export function readAmount(value: unknown, currency: string): number | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && value > 0 ? toMinorUnits(value.toFixed(2), currency) : null;
  if (typeof value !== 'string' || value.length > 40) return null;
  const text = value.trim();
  return toMinorUnits(text, currency) ?? findPrices(text, currency)[0]?.amount ?? null;
}

/** An ISO 4217 code from structured data, also written as a sign. */
export function readCurrency(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim();
  if (/^[a-z]{3}$/i.test(text)) return text.toUpperCase();
  return SIGNS[text.toLowerCase()] ?? null;
}
