import type { Judgement, UnknownReason } from '#shared/monitor/checks/verdict';
import type { ParsedPage } from './parse/parsed-page';
import type { FoundSign, Seen } from './signs/sign-rule';
import { OPEN_ENOUGH } from './signs/shop-signs';
import { explainsQueues, isNamedAsRoom } from './words/waiting-words';
import { CHALLENGE_SIGNS } from './signs/wall-signs';

type Ruling = Omit<Judgement, 'signs'>;

/** How much of a shop a page shows. */
interface Surroundings {
  /** Something to buy or to read, which neither a waiting room nor a bot wall shows. */
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
export function weighSigns(signs: readonly FoundSign[], seen: Seen): Ruling {
  const { status } = seen.answer;
  const around = readSurroundings(signs, seen);
  const of = (pointsTo: FoundSign['pointsTo'], role: FoundSign['role']): FoundSign[] =>
    signs.filter((sign) => sign.pointsTo === pointsTo && sign.role === role);
  const words = of('waiting_room', 'words');
  const over = signs.find(({ role }) => role === 'over');
  const certainWall = of('wall', 'certain')[0];

  const certain = of('waiting_room', 'certain')[0];
  if (certain !== undefined && over === undefined && certainWall === undefined) {
    return room('strong', `The answer puts its visitor into a waiting room (${certain.id}).`);
  }

  const machinery = of('waiting_room', 'decisive')[0];
  const yields = yieldsToShop(signs, around, words);
  if (machinery !== undefined && over === undefined && certainWall === undefined && !yields) {
    return room('strong', `The page carries the machinery of a waiting room (${machinery.id}).`);
  }
  if (over !== undefined && !around.plainlyShop) {
    return unknown('unrecognised', `A queue's own page that holds nobody in line (${over.evidence}).`);
  }

  const wall = certainWall ?? of('wall', 'decisive')[0];
  const readable = around.content || (around.plainlyShop && seen.shop.ownContent === 'rich');
  if (wall !== undefined && (wall.role === 'certain' || !readable || seen.answer.doubted)) {
    const challenge = CHALLENGE_SIGNS.has(wall.id);
    return unknown(
      challenge ? 'challenge' : 'blocked',
      `A bot wall stands before the shop (${wall.id}); nothing is known of what is behind it.`,
    );
  }

  if (isSupportedRoom(signs, words, around, seen)) {
    const marks = of('waiting_room', 'supporting').map(({ id }) => id);
    return room('strong', `A waiting room's marks on a page that makes people wait (${marks.join(', ')}).`);
  }

  const answered = status >= 200 && status < 300;
  const shut = signs.find(({ pointsTo }) => pointsTo === 'error');
  const check = of('wall', 'supporting')[0];
  if (
    answered &&
    around.score >= OPEN_ENOUGH &&
    seen.shop.ownContent !== 'none' &&
    isOrdinary(signs, around, shut) &&
    (!isThinFrameOfRoom(around, words) || isReading(signs, seen))
  ) {
    const doubt = seen.answer.doubted
      ? ' The fetching service doubted it, but the page speaks for itself.'
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
    !isReading(signs, seen) &&
    check === undefined &&
    !has(signs, 'parked-domain') &&
    !has(signs, 'network-portal') &&
    (isRoomByWords(words, has(signs, 'maintenance'), seen.page) ||
      isHeld(signs, words) ||
      isTurnedAway(signs, status) ||
      isCounted(signs, seen))
  ) {
    return room('weak', 'The page speaks as a waiting room does, but only its words say so.');
  }
  return nothingDecides(seen, shut, check);
}

function readSurroundings(signs: readonly FoundSign[], seen: Seen): Surroundings {
  const { shop } = seen;
  const score = signs
    .filter(({ pointsTo }) => pointsTo === 'open')
    .reduce((sum, { weight }) => sum + weight, 0);
  const products = has(signs, 'shop-products');
  const frame = ['shop-navigation', 'shop-basket', 'shop-search', 'shop-account'].filter((id) =>
    has(signs, id),
  );
  const furnished = frame.length >= 2 && frame.includes('shop-navigation');
  const article = has(signs, 'shop-article');
  const discussion = has(signs, 'shop-discussion');
  const read = article && (frame.length > 0 || has(signs, 'shop-byline')) && !has(signs, 'heading-in-line');
  const content = products || discussion || (furnished && article);
  const speaks = !products && !article && !discussion && isRoomInFrame(signs, seen);
  return {
    content,
    plainlyShop: content || (frame.length >= 3 && shop.ownContent !== 'none'),
    shopAround: !speaks && (content || furnished || read || has(signs, 'shop-wide-navigation')),
    score,
  };
}

/** Maximum length of a waiting room's text inside a shop's frame, in letters. */
const ROOM_LENGTH = 600;

/**
 * Whether the page is a waiting room inside a shop's frame: its status holds the visitor back, its heading says that the
 * visitor is in line, or it says so with numbers and little other text.
 */
function isRoomInFrame(signs: readonly FoundSign[], { answer, page, shop }: Seen): boolean {
  const words = signs.filter(({ role }) => role === 'words');
  if (isTurnedAway(signs, answer.status)) return true;
  if (words.length < 2) return false;
  if (markOf(signs) !== undefined && has(signs, 'heading-in-line')) return true;
  if (HOLDING_STATUSES.has(answer.status) || has(signs, 'refresh-header')) return true;
  const short = shop.ownLength <= ROOM_LENGTH;
  if (has(signs, 'heading-in-line')) return words.length >= 3 || (short && !shop.hasByline);
  const numbered = short && page.ownHeadings <= 2 && has(signs, 'words-with-number');
  if (!numbered || !has(words, 'words-in-line')) return false;
  return words.length >= 3 || (isNamedAsRoom(page) && has(words, 'words-place'));
}

/** Statuses of waiting rooms. The shop's ordinary pages do not have them. */
const HOLDING_STATUSES: ReadonlySet<number> = new Set([202, 429, 503]);

/** Whether the status holds the visitor back and the page says that the visitor is in line, which no rate limit does. */
function isTurnedAway(signs: readonly FoundSign[], status: number): boolean {
  return (
    HOLDING_STATUSES.has(status) &&
    has(signs, 'words-in-line') &&
    !has(signs, 'maintenance') &&
    !has(signs, 'error-page')
  );
}

function has(signs: readonly FoundSign[], id: string): boolean {
  return signs.some((sign) => sign.id === id);
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
function yieldsToShop(
  signs: readonly FoundSign[],
  around: Surroundings,
  words: readonly FoundSign[],
): boolean {
  const built = signs.some(({ id }) => IN_DOCUMENT.has(id));
  // A waiting room can show products, but it also says that it is a waiting room.
  if (has(signs, 'shop-products')) return !built || words.length < 2;
  if (!around.plainlyShop || built) return false;
  return words.length < 2 || has(signs, 'shop-article');
}

/** Cookies, hosts and elements of waiting rooms. Admitted visitors have them as well, so each needs a second sign. */
const ROOM_MARKS = [
  'akamai-room-cookie',
  'cloudflare-room-cookie',
  'alibaba-room-cookie',
  'imperva-room-clock',
  'queue-named-host',
];

function markOf(signs: readonly FoundSign[]): string | undefined {
  return ROOM_MARKS.find((id) => has(signs, id));
}

function isSupportedRoom(
  signs: readonly FoundSign[],
  words: readonly FoundSign[],
  { content, shopAround }: Surroundings,
  seen: Seen,
): boolean {
  const mark = markOf(signs);
  if (mark === undefined || content) return false;
  if (has(signs, 'maintenance')) return !shopAround && isRoomByWords(words, true, seen.page);
  const reloads = has(signs, 'refresh-header') || has(signs, 'refresh-element');
  if (words.length > 0) return reloads || (!shopAround && !isReading(signs, seen));
  if (shopAround || has(signs, 'error-page')) return false;
  const held = signs.find(({ id }) => id === 'held-status')?.evidence;
  if (has(signs, 'refresh-header') || held === 'status 202') return true;
  // Cloudflare's cookie is also on the shop's own loading screens.
  return has(signs, 'words-patience') && (mark !== 'cloudflare-room-cookie' || reloads || held !== undefined);
}

/** Whether another party (a domain trader, a network) answers at the shop's address. */
function isForeign(signs: readonly FoundSign[]): boolean {
  return signs.some(({ pointsTo, role }) => pointsTo === 'error' && role === 'certain');
}

function isOrdinary(signs: readonly FoundSign[], around: Surroundings, shut: FoundSign | undefined): boolean {
  if (isForeign(signs)) return false;
  if (has(signs, 'shop-products')) return true;
  if (has(signs, 'check-as-the-page') && !around.content) return false;
  if (shut === undefined) return true;
  return shut.id === 'maintenance' && around.plainlyShop && !isShutByHeading(signs);
}

/** Whether the title or heading announces maintenance. An article can be about maintenance, so it does not count. */
function isShutByHeading(signs: readonly FoundSign[]): boolean {
  return has(signs, 'maintenance-heading') && !has(signs, 'shop-article');
}

/** Whether the page has waiting words and at most a few links: not enough for a shop. */
function isThinFrameOfRoom(around: Surroundings, words: readonly FoundSign[]): boolean {
  return !around.shopAround && words.length >= 2;
}

function isRoomByWords(words: readonly FoundSign[], maintenance: boolean, page: ParsedPage): boolean {
  if (words.length < 2) return false;
  const lined = has(words, 'words-in-line') || has(words, 'words-place');
  if (!lined && !isWaitItself(words, page)) return false;
  if (!maintenance) return true;
  return ['words-in-line', 'words-place'].every((id) => has(words, id));
}

const WAITING_WORD =
  /wait|warte|attente|esper|attesa|wacht|oczekiwan|cekan|cakan|vant|vent|odotus|bekleme|tunggu|aros|varakoz|astept|待|等|대기|ожидан|очікуван|αναμον|انتظار|המתנה|รอ|प्रतीक्षा/;
/** Processes that also take time and need an open page: downloads, payments, reports. */
const PROCESS =
  /too many requests|rate limit|slow down|over capacity|overload|download|upload|pay(?:ment|ing)|process|prepar|generat|export|report|your order|install|updat|zahlung|bestellung|paiement|commande|pago|pedido|pagamento|ordine|betaling|platnosc|支払|決済|支付|결제/;

/** Whether words without a line or a place mean a waiting room: the time must be called a wait, with no other process. */
function isWaitItself(words: readonly FoundSign[], { title, headings }: ParsedPage): boolean {
  const wait = words.find(({ id }) => id === 'words-wait');
  if (wait !== undefined && !WAITING_WORD.test(wait.evidence)) return false;
  return ![title, headings[0] ?? ''].some((name) => PROCESS.test(name));
}

/** Whether the answer itself holds the visitor back or reloads. Then one kind of waiting words is enough. */
function isHeld(signs: readonly FoundSign[], words: readonly FoundSign[]): boolean {
  if (has(signs, 'maintenance') || has(signs, 'error-page')) return false;
  const held = signs.find(({ id }) => id === 'held-status')?.evidence;
  const holdsBack =
    has(signs, 'refresh-header') ||
    (has(signs, 'refresh-element') && held !== undefined) ||
    held === 'status 503 with Retry-After';
  return holdsBack && (has(words, 'words-in-line') || has(words, 'words-place'));
}

/** Whether the page is an article about waiting rooms, such as help. A page that holds the visitor back is not. */
function isReading(signs: readonly FoundSign[], { page }: Seen): boolean {
  if (has(signs, 'heading-in-line') || has(signs, 'held-status') || has(signs, 'refresh-header'))
    return false;
  if (explainsQueues(page)) return true;
  // Content management systems put any page into an article element.
  const named = isNamedAsRoom(page) && has(signs, 'words-with-number') && !has(signs, 'shop-byline');
  return has(signs, 'shop-article') && !named;
}

const LINE_NAME =
  /queue|line(?:$|[^a-z])|waiting room|warte|schlange|file(?:$|[^a-z])|fila|cola(?:$|[^a-z])|coda(?:$|[^a-z])|wachtrij|kolejk|ciw|(?:^|[^a-z])ko(?:$|[^a-z])|front|sira|очеред|черз|列|队|隊|대기/;

function namesLine(signs: readonly FoundSign[]): boolean {
  return signs.some(({ id, evidence }) => id === 'words-place' && LINE_NAME.test(evidence));
}

/** Whether the page says how many people are ahead, names a line or asks for patience, and shows nothing else. */
function isCounted(signs: readonly FoundSign[], { shop }: Seen): boolean {
  return (
    has(signs, 'words-place') &&
    has(signs, 'words-with-number') &&
    (has(signs, 'words-patience') || has(signs, 'words-thanks') || namesLine(signs)) &&
    shop.siteLinks === 0 &&
    shop.ownLength <= ROOM_LENGTH &&
    !has(signs, 'maintenance') &&
    !has(signs, 'error-page')
  );
}

function nothingDecides(seen: Seen, shut: FoundSign | undefined, check: FoundSign | undefined): Ruling {
  const { status } = seen.answer;
  if (status === 401 || status === 403 || status === 429) {
    return unknown('blocked', `The shop refused the request with status ${status}.`);
  }
  if (status >= 400 || (status >= 300 && status < 400)) {
    return unknown('error', `The answer is status ${status} and shows neither the shop nor a waiting room.`);
  }
  if (seen.page.format === 'empty') return unknown('error', 'The answer is empty.');
  if (check !== undefined) return unknown('challenge', 'The page asks its visitor to prove being human.');
  if (shut !== undefined) return unknown('error', `The page is no shop: ${shut.id} (${shut.evidence}).`);
  return unknown('unrecognised', 'The page shows neither the shop nor a waiting room.');
}

function room(strength: 'strong' | 'weak', reason: string): Ruling {
  return { verdict: 'waiting_room', strength, unknownReason: null, reason };
}

function unknown(unknownReason: UnknownReason, reason: string): Ruling {
  return { verdict: 'unknown', strength: null, unknownReason, reason };
}
