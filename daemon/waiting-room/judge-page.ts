import type { Judgement, PageAnswer } from '#shared/monitor/checks/verdict';
import { EDGE_SIGNS } from './signs/edge-signs';
import { IMPERVA_SIGNS } from './signs/imperva-signs';
import { excerpt } from './parse/normalise-text';
import { parsePage } from './parse/parse-page';
import type { ParsedPage } from './parse/parsed-page';
import type { PageListener } from './parse/walk-page';
import { QUEUE_SIGNS } from './signs/queue-signs';
import { readShopFacts } from './parse/shop-facts';
import { REFUSAL_SIGNS } from './signs/refusal-signs';
import { SHOP_SIGNS } from './signs/shop-signs';
import { readCookieNames, type FoundSign, type SignInput, type SignRule } from './signs/sign-rule';
import { findWaitingHeading, findWaitingWords } from './words/waiting-words';
import { WALL_SIGNS } from './signs/wall-signs';
import { weighSigns } from './weigh-signs';

/** Every sign. The order only decides which of several decisive signs the reason names. */
const RULES: readonly SignRule[] = [
  ...IMPERVA_SIGNS,
  ...QUEUE_SIGNS,
  ...EDGE_SIGNS,
  ...WALL_SIGNS,
  ...REFUSAL_SIGNS,
  ...SHOP_SIGNS,
];

const WORD_IDS = {
  inLine: 'words-in-line',
  place: 'words-place',
  wait: 'words-wait',
  keepOpen: 'words-keep-open',
  thanks: 'words-thanks',
};
const WORD_WEIGHT = 15;

/** The ids of all signs. */
export const SIGN_IDS: readonly string[] = [...RULES.map(({ id }) => id), ...Object.values(WORD_IDS)];

/** Judges one answer of the shop: open, waiting room or unknown, with every sign found. Its time is linear in the page's size. */
export function judgePage(answer: PageAnswer): Judgement {
  return judgeAnswer(answer).judgement;
}

/** As `judgePage`, with the parse results for another judge: the format, a JSON value; `listener` follows the HTML. */
export function judgeAnswer(
  answer: PageAnswer,
  listener: PageListener | null = null,
): { judgement: Judgement } & Pick<ParsedPage, 'format' | 'json'> {
  const unread = { format: 'empty', json: undefined } as const;
  if (answer.status === 0) return { ...unread, judgement: notSeen('No page came.') };
  if (!answer.decodable) return { ...unread, judgement: notSeen('The response is not readable text.') };
  const input = readAnswer(answer, listener);
  const signs = findSigns(input);
  const ruling = weighSigns(signs, input);
  const judgement = {
    ...ruling,
    signs: signs.map(({ id, pointsTo, weight, evidence }) => ({ id, pointsTo, weight, evidence })),
  };
  return { judgement, format: input.page.format, json: input.page.json };
}

function readAnswer(answer: PageAnswer, listener: PageListener | null): SignInput {
  const page = parsePage(answer, listener);
  return {
    answer,
    page,
    shop: readShopFacts(page, answer.finalUrl),
    cookies: readCookieNames(answer.headers['set-cookie']),
    header: (name) => {
      const value = answer.headers[name];
      return (Array.isArray(value) ? value[0] : value) ?? null;
    },
  };
}

function findSigns(input: SignInput): FoundSign[] {
  const signs: FoundSign[] = [];
  for (const { id, pointsTo, role, weight, find } of RULES) {
    const evidence = find(input);
    if (evidence !== null) signs.push({ id, pointsTo, role, weight, evidence: excerpt(evidence) });
  }
  const waitingWords = findWaitingWords(input.page);
  for (const { kind, evidence } of waitingWords) {
    signs.push({
      id: WORD_IDS[kind],
      pointsTo: 'waiting_room',
      role: 'words',
      weight: WORD_WEIGHT,
      evidence,
    });
  }
  const numbered = waitingWords.find(
    (words) => words.numbered && (words.kind === 'place' || words.kind === 'wait'),
  );
  if (numbered !== undefined) {
    signs.push({
      id: 'words-with-number',
      pointsTo: 'waiting_room',
      role: 'supporting',
      weight: 5,
      evidence: numbered.evidence,
    });
  }
  const heading = findWaitingHeading(input.page);
  if (heading !== null) {
    signs.push({
      id: 'heading-in-line',
      pointsTo: 'waiting_room',
      role: 'supporting',
      weight: 10,
      evidence: heading,
    });
  }
  return signs;
}

/** The judgement when no page was seen. */
export function notSeen(reason: string): Judgement {
  return { verdict: 'unknown', strength: null, unknownReason: 'error', reason, signs: [] };
}
