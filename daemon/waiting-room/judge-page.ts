import type { Judgement, PageAnswer } from '#shared/monitor/checks/verdict';
import type { FetchOutcome } from './fetch/fetch-outcome';
import { EDGE_SIGNS } from './signs/edge-signs';
import { IMPERVA_SIGNS } from './signs/imperva-signs';
import { excerpt } from './parse/normalise-text';
import { parsePage } from './parse/parse-page';
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
  if (answer.status === 0) return notSeen('No page came.');
  if (!answer.decodable) return notSeen('The response is not readable text.');
  const input = readAnswer(answer);
  const signs = findSigns(input);
  const ruling = weighSigns(signs, input);
  return {
    ...ruling,
    signs: signs.map(({ id, pointsTo, weight, evidence }) => ({ id, pointsTo, weight, evidence })),
  };
}

/**
 * Judges the result of a fetch. Never throws: a fault of the judgement is an `unknown` verdict that names it. An `unknown`
 * verdict carries the fetch's error in its reason.
 */
export function judgeOutcome({
  answer,
  errorMessage,
}: Pick<FetchOutcome, 'answer' | 'errorMessage'>): Judgement {
  const judgement = judgeSafely(answer);
  if (judgement.verdict !== 'unknown' || errorMessage === null) return judgement;
  return { ...judgement, reason: answer.status === 0 ? errorMessage : `${judgement.reason} ${errorMessage}` };
}

function judgeSafely(answer: PageAnswer): Judgement {
  try {
    return judgePage(answer);
  } catch (error) {
    return notSeen(`Judging the page failed: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function readAnswer(answer: PageAnswer): SignInput {
  const page = parsePage(answer);
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

function notSeen(reason: string): Judgement {
  return { verdict: 'unknown', strength: null, unknownReason: 'error', reason, signs: [] };
}
