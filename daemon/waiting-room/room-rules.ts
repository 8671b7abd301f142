import type { ParsedPage } from './parse/parsed-page';
import { hasSign, type FoundSign, type SignInput } from './signs/sign-rule';
import { explainsQueues, isNamedAsRoom } from './words/waiting-words';

/** Maximum length of a waiting room's text inside a shop's frame, in letters. */
const ROOM_LENGTH = 600;

/**
 * Whether the page is a waiting room inside a shop's frame: its status holds the visitor back, its heading says that the
 * visitor is in line, or it says so with numbers and little other text.
 */
export function isRoomInFrame(signs: readonly FoundSign[], { answer, page, shop }: SignInput): boolean {
  const words = signs.filter(({ role }) => role === 'words');
  if (isRoomByStatus(signs, answer.status)) return true;
  if (words.length < 2) return false;
  if (markOf(signs) !== undefined && hasSign(signs, 'heading-in-line')) return true;
  if (HOLDING_STATUSES.has(answer.status) || hasSign(signs, 'refresh-header')) return true;
  const short = shop.ownLength <= ROOM_LENGTH;
  if (hasSign(signs, 'heading-in-line')) return words.length >= 3 || (short && !shop.hasByline);
  const numbered = short && page.ownHeadings <= 2 && hasSign(signs, 'words-with-number');
  if (!numbered || !hasSign(words, 'words-in-line')) return false;
  return words.length >= 3 || (isNamedAsRoom(page) && hasSign(words, 'words-place'));
}

/** Statuses of waiting rooms. The shop's ordinary pages do not have them. */
const HOLDING_STATUSES: ReadonlySet<number> = new Set([202, 429, 503]);

/** Whether the status holds the visitor back and the page says that the visitor is in line, which no rate limit does. */
export function isRoomByStatus(signs: readonly FoundSign[], status: number): boolean {
  return (
    HOLDING_STATUSES.has(status) &&
    hasSign(signs, 'words-in-line') &&
    !hasSign(signs, 'maintenance') &&
    !hasSign(signs, 'error-page')
  );
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
  return ROOM_MARKS.find((id) => hasSign(signs, id));
}

/**
 * Whether a mark of waiting rooms has a second sign: waiting words, a reload, or a status that holds the visitor back.
 * `content`, `shopAround`: what the page shows of the shop.
 */
export function isSupportedRoom(
  signs: readonly FoundSign[],
  words: readonly FoundSign[],
  { content, shopAround }: { content: boolean; shopAround: boolean },
  input: SignInput,
): boolean {
  const mark = markOf(signs);
  if (mark === undefined || content) return false;
  if (hasSign(signs, 'maintenance')) return !shopAround && isRoomByWords(words, true, input.page);
  const reloads = hasSign(signs, 'refresh-header') || hasSign(signs, 'refresh-element');
  if (words.length > 0) return reloads || (!shopAround && !isAboutQueues(signs, input));
  if (shopAround || hasSign(signs, 'error-page')) return false;
  const held = signs.find(({ id }) => id === 'held-status')?.evidence;
  if (hasSign(signs, 'refresh-header') || held === 'status 202') return true;
  // Cloudflare's cookie is also on the shop's own loading screens.
  return (
    hasSign(signs, 'words-patience') && (mark !== 'cloudflare-room-cookie' || reloads || held !== undefined)
  );
}

/** Whether the words alone mean a waiting room. On a maintenance page they must name both a line and a place in it. */
export function isRoomByWords(words: readonly FoundSign[], maintenance: boolean, page: ParsedPage): boolean {
  if (words.length < 2) return false;
  const inLine = hasSign(words, 'words-in-line');
  // Other services have queues, too: print jobs, orders, support chats.
  if (!inLine && isOtherProcess(page)) return false;
  if (!inLine && !hasSign(words, 'words-place') && !isWaitItself(words)) return false;
  if (!maintenance) return true;
  return ['words-in-line', 'words-place'].every((id) => hasSign(words, id));
}

const WAITING_WORD =
  /wait|warte|attente|esper|attesa|wacht|oczekiwan|cekan|cakan|vant|vent|odotus|bekleme|tunggu|aros|varakoz|astept|待|等|대기|ожидан|очікуван|αναμον|انتظار|המתנה|รอ|प्रतीक्षा/;
/** Other processes that take time, need an open page or have a queue: downloads, payments, reports, chats. */
const PROCESS =
  /chat(?:$|[^a-z])|call us|appointment|consultation|wait ?list|waiting list|print|too many requests|rate limit|slow down|over capacity|overload|download|upload|pay(?:ment|ing)|process|prepar|generat|export|report|your order|install|updat|zahlung|bestellung|paiement|commande|pago|pedido|pagamento|ordine|betaling|platnosc|支払|決済|支付|결제/;

/** Whether words without a line or a place mean a waiting room: the time must be called a wait. */
function isWaitItself(words: readonly FoundSign[]): boolean {
  const wait = words.find(({ id }) => id === 'words-wait');
  return wait === undefined || WAITING_WORD.test(wait.evidence);
}

/** Whether the title or the first heading names another process than entering the shop. */
function isOtherProcess({ title, headings }: ParsedPage): boolean {
  return [title, headings[0] ?? ''].some((name) => PROCESS.test(name));
}

/** Titles and headings of a room's last page: nothing is left to wait for. */
const OVER =
  /(?:sale|drop|event|queue|line|launch|release) (?:has|is|have)(?: now)? (?:ended|over|closed|finished)|(?:^|[^a-z])sold out|ausverkauft|(?:verkauf|aktion) (?:ist )?(?:beendet|vorbei)|(?:vente|evenement) (?:est )?termine|agotad[oa]|esaurit[oa]|uitverkocht|wyprzedan|完売|受付終了/;

/** Whether the title or the first heading says that the sale is over. */
export function isOver({ title, headings }: ParsedPage): boolean {
  return [title, headings[0] ?? ''].some((name) => OVER.test(name));
}

/** Whether the answer itself holds the visitor back or reloads. Then one kind of waiting words is enough. */
export function isRoomByResponse(signs: readonly FoundSign[], words: readonly FoundSign[]): boolean {
  if (hasSign(signs, 'maintenance') || hasSign(signs, 'error-page')) return false;
  const held = signs.find(({ id }) => id === 'held-status')?.evidence;
  const holdsBack =
    hasSign(signs, 'refresh-header') ||
    (hasSign(signs, 'refresh-element') && held !== undefined) ||
    held === 'status 503 with Retry-After';
  return holdsBack && (hasSign(words, 'words-in-line') || hasSign(words, 'words-place'));
}

/** Whether the page is an article about waiting rooms, such as help. A page that holds the visitor back is not. */
export function isAboutQueues(signs: readonly FoundSign[], { page }: SignInput): boolean {
  if (hasSign(signs, 'heading-in-line') || hasSign(signs, 'held-status') || hasSign(signs, 'refresh-header'))
    return false;
  if (explainsQueues(page)) return true;
  // Content management systems put any page into an article element.
  const named = isNamedAsRoom(page) && hasSign(signs, 'words-with-number') && !hasSign(signs, 'shop-byline');
  return hasSign(signs, 'shop-article') && !named;
}

const LINE_NAME =
  /queue|line(?:$|[^a-z])|waiting room|warte|schlange|file(?:$|[^a-z])|fila|cola(?:$|[^a-z])|coda(?:$|[^a-z])|wachtrij|kolejk|ciw|(?:^|[^a-z])ko(?:$|[^a-z])|front|sira|очеред|черз|列|队|隊|대기/;

function namesLine(signs: readonly FoundSign[]): boolean {
  return signs.some(({ id, evidence }) => id === 'words-place' && LINE_NAME.test(evidence));
}

/** Whether the page says how many people are ahead, names a line or asks for patience, and shows nothing else. */
export function isRoomByCount(signs: readonly FoundSign[], { shop, page }: SignInput): boolean {
  return (
    hasSign(signs, 'words-place') &&
    hasSign(signs, 'words-with-number') &&
    (hasSign(signs, 'words-patience') || hasSign(signs, 'words-thanks') || namesLine(signs)) &&
    shop.siteLinks === 0 &&
    shop.ownLength <= ROOM_LENGTH &&
    !isOtherProcess(page) &&
    !hasSign(signs, 'maintenance') &&
    !hasSign(signs, 'error-page')
  );
}
