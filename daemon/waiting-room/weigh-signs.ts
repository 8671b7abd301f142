import type { Judgement, UnknownReason } from '#shared/monitor/checks/verdict';
import {
  isAboutQueues,
  isRoomByCount,
  isRoomByResponse,
  isOver,
  isRoomByWords,
  isRoomInFrame,
  isSupportedRoom,
  isRoomByStatus,
} from './room-rules';
import { OPEN_ENOUGH } from './signs/shop-signs';
import { hasSign, type FoundSign, type SignInput } from './signs/sign-rule';
import { CHALLENGE_SIGNS } from './signs/wall-signs';

type Ruling = Omit<Judgement, 'signs'>;

/** How much of a shop a page shows. */
interface Surroundings {
  /** Something to buy or to read, which waiting rooms and bot walls lack. */
  content: boolean;
  /** Content, or the whole frame of a shop with something in it. */
  plainlyShop: boolean;
  /** Enough of a shop to discount waiting words on the page. */
  shopAround: boolean;
  score: number;
}

/**
 * Turns the signs into a verdict. The first rule that applies decides:
 *
 * 1. waiting room: certain facts about the whole answer
 * 2. waiting room: machinery in the page, unless the page is plainly the shop
 * 3. unknown: a waiting room's page on which no visitor waits (over, rejected)
 * 4. unknown: a bot wall by its machinery, unless the page has content; the frame of a shop is not content
 * 5. waiting room: a mark that waiting rooms set, together with waiting words or a reload
 * 6. open: an ordinary page with a success status and content in its frame
 * 7. waiting room (weak): waiting words without a shop: two kinds, or one kind if the answer itself holds the visitor back
 * 8. unknown
 */
export function weighSigns(signs: readonly FoundSign[], input: SignInput): Ruling {
  const { status } = input.answer;
  const around = readSurroundings(signs, input);
  const of = (pointsTo: FoundSign['pointsTo'], role: FoundSign['role']): FoundSign[] =>
    signs.filter((sign) => sign.pointsTo === pointsTo && sign.role === role);
  const words = of('waiting_room', 'words');
  const over = signs.find(({ role }) => role === 'over');
  const certainWall = of('wall', 'certain')[0];

  const certain = of('waiting_room', 'certain')[0];
  if (certain !== undefined && over === undefined && certainWall === undefined) {
    return room('strong', `The response puts the visitor into a waiting room (${certain.id}).`);
  }

  const machinery = of('waiting_room', 'decisive')[0];
  const overridden = shopOverridesRoom(signs, around, words);
  if (machinery !== undefined && over === undefined && certainWall === undefined && !overridden) {
    return room('strong', `The page contains the code of a waiting room (${machinery.id}).`);
  }
  if (over !== undefined && !around.plainlyShop) {
    return unknown(
      'unrecognised',
      `A page of the queue provider on which no visitor waits (${over.evidence}).`,
    );
  }

  const wall = certainWall ?? of('wall', 'decisive')[0];
  const readable = around.content || (around.plainlyShop && input.shop.ownContent === 'rich');
  if (wall !== undefined && (wall.role === 'certain' || !readable || input.answer.unverified)) {
    const challenge = CHALLENGE_SIGNS.has(wall.id);
    return unknown(
      challenge ? 'challenge' : 'blocked',
      `A bot wall blocks the shop (${wall.id}), so its state is unknown.`,
    );
  }

  if (isSupportedRoom(signs, words, around, input)) {
    const marks = of('waiting_room', 'supporting').map(({ id }) => id);
    return room(
      'strong',
      `The page makes visitors wait and has signs of a waiting room (${marks.join(', ')}).`,
    );
  }

  const answered = status >= 200 && status < 300;
  const failure = signs.find(({ pointsTo }) => pointsTo === 'error');
  const humanCheck = of('wall', 'supporting')[0];
  if (
    answered &&
    around.score >= OPEN_ENOUGH &&
    input.shop.ownContent !== 'none' &&
    isOrdinary(signs, around, failure) &&
    (!isThinFrameOfRoom(around, words) || isAboutQueues(signs, input))
  ) {
    const doubt = input.answer.unverified
      ? ' The fetching service was not sure, but the content is clearly the shop’s.'
      : '';
    return {
      verdict: 'open',
      strength: null,
      unknownReason: null,
      reason: `The shop answers with an ordinary page.${doubt}`,
    };
  }

  if (
    !around.shopAround &&
    !isAboutQueues(signs, input) &&
    (!isOver(input.page) || hasSign(signs, 'heading-in-line')) &&
    humanCheck === undefined &&
    !hasSign(signs, 'parked-domain') &&
    !hasSign(signs, 'network-portal') &&
    (isRoomByWords(words, hasSign(signs, 'maintenance'), input.page) ||
      isRoomByResponse(signs, words) ||
      isRoomByStatus(signs, status) ||
      isRoomByCount(signs, input))
  ) {
    return room('weak', 'The text of the page reads like a waiting room, but no other sign confirms it.');
  }
  return inconclusive(input, failure, humanCheck);
}

function readSurroundings(signs: readonly FoundSign[], input: SignInput): Surroundings {
  const { shop } = input;
  const score = signs
    .filter(({ pointsTo }) => pointsTo === 'open')
    .reduce((sum, { weight }) => sum + weight, 0);
  const products = hasSign(signs, 'shop-products');
  const frame = ['shop-navigation', 'shop-basket', 'shop-search', 'shop-account'].filter((id) =>
    hasSign(signs, id),
  );
  const hasFrame = frame.length >= 2 && frame.includes('shop-navigation');
  const article = hasSign(signs, 'shop-article');
  const discussion = hasSign(signs, 'shop-discussion');
  const isArticle =
    article && (frame.length > 0 || hasSign(signs, 'shop-byline')) && !hasSign(signs, 'heading-in-line');
  const content = products || discussion || (hasFrame && article);
  const isFramedRoom = !products && !article && !discussion && isRoomInFrame(signs, input);
  return {
    content,
    plainlyShop: content || (frame.length >= 3 && shop.ownContent !== 'none'),
    shopAround: !isFramedRoom && (content || hasFrame || isArticle || hasSign(signs, 'shop-wide-navigation')),
    score,
  };
}

/** Machinery that is an element of the document. Other machinery is only mentioned by scripts and their configuration. */
const IN_DOCUMENT = new Set([
  'imperva-room-frame',
  'imperva-room-elements',
  'queue-it-page',
  'queue-it-elements',
  'queue-frame',
  'cloudflare-room-template',
  'datadome-priority-room',
]);

/**
 * Whether the shop overrides a waiting room's machinery. Products do, unless the page also has a waiting room's elements
 * and words. A shop's frame alone can surround a waiting room: it overrides only machinery in scripts.
 */
function shopOverridesRoom(
  signs: readonly FoundSign[],
  around: Surroundings,
  words: readonly FoundSign[],
): boolean {
  const inDocument = signs.some(({ id }) => IN_DOCUMENT.has(id));
  // A waiting room can show products, but it also says that it is a waiting room.
  if (hasSign(signs, 'shop-products')) return !inDocument || words.length < 2;
  if (!around.plainlyShop || inDocument) return false;
  return words.length < 2 || hasSign(signs, 'shop-article');
}

/** Whether another party (a domain trader, a network) answers at the shop's address. */
function isForeign(signs: readonly FoundSign[]): boolean {
  return signs.some(({ pointsTo, role }) => pointsTo === 'error' && role === 'certain');
}

function isOrdinary(
  signs: readonly FoundSign[],
  around: Surroundings,
  failure: FoundSign | undefined,
): boolean {
  if (isForeign(signs)) return false;
  if (hasSign(signs, 'missing-page')) return false;
  if (hasSign(signs, 'shop-products')) return true;
  const refused = hasSign(signs, 'check-as-the-page') || hasSign(signs, 'refused-as-the-page');
  if (refused && !around.content) return false;
  if (failure === undefined) return true;
  return failure.id === 'maintenance' && around.plainlyShop && !isMaintenance(signs);
}

/** Whether the title or heading announces maintenance. An article can be about maintenance, so it does not count. */
function isMaintenance(signs: readonly FoundSign[]): boolean {
  return hasSign(signs, 'maintenance-heading') && !hasSign(signs, 'shop-article');
}

/** Whether the page has waiting words and at most a few links: not enough for a shop. */
function isThinFrameOfRoom(around: Surroundings, words: readonly FoundSign[]): boolean {
  return !around.shopAround && words.length >= 2;
}

/** 430 is Shopify's own (shopify.dev, "Status and error codes": a rejection for security, or too many requests). */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([401, 403, 429, 430]);

function inconclusive(
  input: SignInput,
  failure: FoundSign | undefined,
  humanCheck: FoundSign | undefined,
): Ruling {
  const { status } = input.answer;
  if (REFUSING_STATUSES.has(status)) {
    return unknown('blocked', `The shop refused the request with status ${status}.`);
  }
  if (status >= 400 || (status >= 300 && status < 400)) {
    return unknown(
      'error',
      `The response has status ${status} and shows neither the shop nor a waiting room.`,
    );
  }
  if (input.page.format === 'empty') return unknown('error', 'The response is empty.');
  if (humanCheck !== undefined && /refused/.test(humanCheck.id))
    return unknown('blocked', `The page refuses the visitor (${humanCheck.evidence}).`);
  if (humanCheck !== undefined)
    return unknown('challenge', 'The page asks visitors to prove that they are human.');
  if (failure !== undefined)
    return unknown('error', `The page is not the shop: ${failure.id} (${failure.evidence}).`);
  return unknown('unrecognised', 'The page shows neither the shop nor a waiting room.');
}

function room(strength: 'strong' | 'weak', reason: string): Ruling {
  return { verdict: 'waiting_room', strength, unknownReason: null, reason };
}

function unknown(unknownReason: UnknownReason, reason: string): Ruling {
  return { verdict: 'unknown', strength: null, unknownReason, reason };
}
