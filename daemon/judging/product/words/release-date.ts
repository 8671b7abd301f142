/** The first three letters of a month's name, by language. Folded. */
const MONTHS: ReadonlyArray<readonly [names: string, month: number]> = [
  ['jan|ene|gen|sty', 1],
  ['feb|fev|lut', 2],
  ['mar|mrz|maa', 3],
  ['apr|avr|abr|kwi', 4],
  ['may|mai|mag|mei|maj', 5],
  ['jun|juin|giu|cze', 6],
  ['jul|juil|lug|lip', 7],
  ['aug|aou|ago|sie', 8],
  ['sep|set|wrz', 9],
  ['oct|okt|ott|paz', 10],
  ['nov|lis', 11],
  ['dec|dez|dic|gru', 12],
];
/** Those of all months, as a pattern. */
export const MONTH = MONTHS.map(([names]) => names).join('|');

/** A date in folded text, as a pattern. */
export const DATE = `(?:on |the |(?:mon|tues|wednes|thurs|fri|satur|sun)day,? |(?:mon|tue|wed|thu|fri|sat|sun),? |(?:mon|diens|donners|frei|sams|sonn)tag,? |mittwoch,? |(?:lun|mar|mercre|jeu|vendre|same)di |dimanche |am |ab |le |el |il |op |vanaf |od |dal |del |den |desde |fran |fra |a partir (?:de(?:l)?|du|do) |a partire dal |from |in |by |around |approx\\.? |week commencing |w/c |(?:early|mid|late)[ -]|end of )*(?:the )?(?:(?:early|mid|late) (?:${MONTH})|\\d{1,2}(?:st|nd|rd|th|\\.)? ?(?:of |de )?(?:${MONTH})|(?:${MONTH})[a-z]{0,9} \\d{1,4}|\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}|\\d{4}-\\d{2}-\\d{2}|q[1-4] |spring|summer|autumn|winter|20\\d\\d)`;

const DAY_FIRST = new RegExp(
  `(?:^|[^\\d])(\\d{1,2})(?:st|nd|rd|th|\\.)? ?(?:of |de )?(${MONTH})[a-z.]{0,9},?(?: de)? (20\\d\\d)`,
);
const MONTH_FIRST = new RegExp(
  `(?:^|[^a-z])(${MONTH})[a-z.]{0,9} (?:(\\d{1,2})(?:st|nd|rd|th)?,? )?(20\\d\\d)`,
);
const NUMBERS = /(?:^|[^\d])(\d{1,2})[./-](\d{1,2})[./-](20\d\d|\d\d)(?:$|[^\d])/;
/** Japanese: the year comes first. */
const YEAR_FIRST = /(?:^|[^\d])(20\d\d)(?:年|\/)(\d{1,2})(?:月|\/)(?:(\d{1,2})(?:日|$|[^\d]))?/;
const ISO = /(?:^|[^\d])(20\d\d)-(\d\d)-(\d\d)/;
const PART_OF_YEAR = /(?:^|[^a-z])(q[1-4]|spring|summer|autumn|winter) (20\d\d)/;
const LAST_MONTHS: Readonly<Record<string, number>> = {
  q1: 3,
  q2: 6,
  q3: 9,
  q4: 12,
  spring: 5,
  summer: 8,
  autumn: 11,
  winter: 12,
};

/**
 * The date in a folded text as `YYYY-MM-DD`; of a month or a part of a year, its last day. Null without a date or without
 * its year. Numbers are read as day and month, in the British order, unless they can only be the American one.
 */
export function lastDayIn(text: string): string | null {
  const iso = ISO.exec(text);
  if (iso !== null) return dayOf(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const first = YEAR_FIRST.exec(text);
  if (first !== null) return dayOf(Number(first[1]), Number(first[2]), Number(first[3] ?? 31));
  const day = DAY_FIRST.exec(text);
  if (day !== null) return dayOf(Number(day[3]), monthOf(day[2]), Number(day[1]));
  const month = MONTH_FIRST.exec(text);
  if (month !== null)
    return dayOf(Number(month[3]), monthOf(month[1]), month[2] === undefined ? 31 : Number(month[2]));
  const numbers = NUMBERS.exec(text);
  if (numbers !== null) {
    const [one, two, year] = [Number(numbers[1]), Number(numbers[2]), Number(numbers[3])];
    const full = year < 100 ? 2000 + year : year;
    return two > 12 ? dayOf(full, one, two) : dayOf(full, two, one);
  }
  const part = PART_OF_YEAR.exec(text);
  return part === null ? null : dayOf(Number(part[2]), LAST_MONTHS[part[1] ?? ''] ?? 12, 31);
}

function monthOf(name = ''): number {
  return MONTHS.find(([names]) => names.split('|').includes(name))?.[1] ?? 12;
}

function dayOf(year: number, month: number, day: number): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}
