import { anyOf } from '../../../waiting-room/words/any-of';
import { wordsOf } from './product-names';
import { IN, NO_LONGER_SOLD, OUT, PRE_ORDER, PROMOTION_OVER, TELL_ME } from './stock-vocabulary';

// The subject of a refusal by its grammar: the product, an earlier edition of it, a service, or several products.

/** The text before words about stock: "Single pack" in "Single pack Sold out". Null without such words. */
export function beforeStock(text: string): string | null {
  const match = OUT.exec(text) ?? IN.exec(text) ?? PRE_ORDER.exec(text);
  return match === null ? null : text.slice(0, match.index);
}

/** The words of a text that refuse something. */
function refusalIn(text: string): RegExpExecArray | null {
  return NO_LONGER_SOLD.exec(text) ?? OUT.exec(text);
}

/** Services and goods offered with a product, but not stock, warehouse or supplier: without those it is gone. */
const THING =
  /^(?:sleeve|binder|play ?mat|mat|dice|bundle|ticket|tin|blister|deck|pack|booster|box|case|display|collection|single|poster|figure|plush|bag|guide|chat|point|reward|voucher|code|discount|finance|wrap|insurance|price|rate|offer|deal|promotion)(?:e?s)?$/;
/** Kinds of product that, with such a word, are another product. */
const EDITION =
  /^(?:edition|version|cop(?:y|ies)|print|printing|ausgabe|fassung|edicion|edizione|versione|editie|uitgave|versie|edycja|wersja|edicao|versao)s?$/;
const OF_EDITION =
  /^(?:japanese|korean|chinese|german|french|italian|spanish|portuguese|polish|dutch|signed|numbered|deluxe|collector.?s?|hardback|paperback|digital|(?:englisch|deutsch|franzosisch|italienisch|spanisch|japanisch|koreanisch|niederlandisch|polnisch)e[nrs]?|anglaise|allemande|francaise|italienne|espagnole|japonaise|coreenne|inglesa|alemana|francesa|italiana|japonesa|coreana|inglese|tedesca|giapponese|spagnola|engelse|duitse|franse|japanse|koreaanse|angielska|niemiecka|japonska)$/;
/** Attributes of variants: "The Lighthouse design is sold out". */
const VARIANT =
  /^(?:design|colou?r|size|style|variant|character|artwork|motiv|farbe|grosse|couleur|taille|color|talla|diseno|colore|taglia|kleur|maat)s?$/;
const OF_SALE =
  /(?:black friday|cyber|christmas|january|easter|summer|spring|winter|autumn|weekend|holiday|clearance) sale (?:is |has |now ){0,2}(?:ended|over|finished|closed)|sale (?:is |has |now ){0,2}(?:ended|over|finished)[ .,;:!-]{1,4}(?:back|prices?|now) /;
/** The subject of a sentence, its verb, and the text between the verb and the refusal. */
const SUBJECT = /^([^.,;:!?–—|]{1,80}?)(?: (is|are|has|have|was|were)(?: [a-z]{1,12}){0,2})?$/;

/** A name with its price. */
const PRICED_SUBJECT = /^([^.,;:!?–—|\d]{3,60}): (?:[£€$] ?)?\d[\d.,]{0,9} ?(?:[£€$]|eur|zl|kr)? ?[–—|·(-]?$/;

/**
 * Whether a refusal by its grammar refers to something other than the product: "The Japanese edition is out of stock",
 * "Our summer sale has ended". In doubt it is not. `words`: those of the product's name.
 */
export function refusesOther(text: string, words: ReadonlySet<string>): boolean {
  if (OF_SALE.test(text) || PROMOTION_OVER.test(text)) return true;
  const before = text.slice(0, refusalIn(text)?.index ?? 0).trim();
  if (isOfOtherYear(before, words) || REPLACED.test(before) || isOfRelative(before, words)) return true;
  // "English edition: £129.99 – sold out"
  const subject = (SUBJECT.exec(before)?.[1] ?? PRICED_SUBJECT.exec(before)?.[1])?.replace(
    / (?:of|on) (?:this|the) (?:set|series|range|item)$/,
    '',
  );
  if (
    subject === undefined ||
    /(?:^|[^a-z])(?:this|these|your|it|we|every|each|all|both)(?:$|[^a-z])/.test(subject)
  )
    return false;
  if (isOfEarlierEdition(before)) return true;
  const all = [...wordsOf(subject)];
  const foreign = all.filter((word) => !words.has(word) && !words.has(word.replace(/e?s$/, '')));
  const head = all.at(-1) ?? '';
  if (THING.test(head)) return foreign.length * 2 >= all.length;
  if (VARIANT.test(head)) return foreign.length > 1;
  return EDITION.test(head) && foreign.some((word) => OF_EDITION.test(word));
}

/** "Ask us about Fox, which is sold out" */
const RELATIVE =
  /(?:^|[^\p{L}\d])([\p{L}\d]{2,30}),? (?:which|that) (?:is|are|was|were|has|have)(?: (?:now|currently|already|just|been|all)){0,2}$/u;
const OWN_NOUN =
  /^(?:products?|items?|articles?|sets?|boxe?s?|ones?|this|these|it|stock|copies|us|you|them)$/;

/** Whether a refusal refers to the name before its relative pronoun, which the product's name lacks. */
function isOfRelative(before: string, words: ReadonlySet<string>): boolean {
  const name = RELATIVE.exec(before)?.[1];
  return name !== undefined && !OWN_NOUN.test(name) && !words.has(name);
}

/** An edition before the current one. */
const EARLIER = anyOf(
  '(?:previous|old|older|former|earlier|first|1st) (?:\\w{1,20} )?(?:edition|version|print(?:ing)?|run|batch|model|release|series|wave)|wave (?:1|one)(?:$|[^\\d])',
  '(?:vorherig|alt|alter|fruher|vorig)e[nrs]? (?:\\w{1,20} )?(?:ausgabe|auflage|version|fassung|edition|ausfuhrung)',
  '(?:ancienne|precedente|vieille) (?:edition|version)|(?:edition|version) (?:precedente|anterieure)|(?:edicion|version|edicao|versao) anterior|(?:antigua|anterior|antiga) (?:edicion|version|edicao|versao)',
  '(?:edizione|versione) precedente|(?:vecchia|precedente) (?:edizione|versione)|(?:vorige|oude|eerdere) (?:editie|uitgave|versie|druk|oplage)|(?:poprzedni|star|wczesniejsz)[ae] (?:edycja|wersja|wydanie)',
  '(?:tidigare|forra|gamla|tidligere|forrige|gamle) (?:utgavan?|upplagan?|versionen|udgave|version)',
);
/** Words before the name of an edition that make it the page's own. */
const THIS =
  /(?:^|[^a-z])(?:this|dies(?:e[rsn]?)?|cette|ce|est[ae]|quest[ao]|deze|dit|ten|ta|ess[ae]|denn[ae]|dett[ae])(?:$|[^a-z])/;
const NAMES_OF_EDITIONS =
  '(?:edition|version|print(?:ing)?|model|ausgabe|auflage|fassung|edicion|edizione|versione|editie|uitgave|versie|edycj[ai]|wydani[ea]|wersj[ai]|edicao|versao|utgavan?|upplagan?|udgaven?)';
const OF_YEAR = new RegExp(
  `${NAMES_OF_EDITIONS}(?: [a-z]{1,4}){0,2} (?<behind>(?:19|20)\\d\\d)(?!\\d)|(?<!\\d)(?<before>(?:19|20)\\d\\d)(?:er)?[ -]${NAMES_OF_EDITIONS}`,
);
/** "It replaces our old binder, which has been discontinued": the product's predecessor. */
const REPLACED =
  /(?:^|[^a-z])(?:replaces|replaced|replacing|supersedes|succeeds|successor (?:to|of)|in place of|takes the place of|(?:upgrade|update|follow-?up) (?:to|of)|ersetzt|remplace|sustituye a|sostituisce|vervangt|zastepuje) [^.;:!?]{3,80}$/;
/** Between the subject and its refusal, within one sentence. */
const SAME_SENTENCE = /^[^.;:!?]{0,30}$/;

/** Whether the subject of a refusal, with the words up to it, is an earlier edition than the one of the page. */
export function isOfEarlierEdition(subject: string): boolean {
  const match = EARLIER.exec(subject);
  return match !== null && !THIS.test(subject.slice(0, match.index + 1));
}

/** Whether the subject of a refusal is the edition of a year that the name of the product lacks. */
function isOfOtherYear(subject: string, words: ReadonlySet<string>): boolean {
  const match = OF_YEAR.exec(subject);
  const year = match?.groups?.['behind'] ?? match?.groups?.['before'];
  return (
    match !== null &&
    year !== undefined &&
    !words.has(year) &&
    !THIS.test(subject.slice(0, match.index + 1)) &&
    SAME_SENTENCE.test(subject.slice(match.index + match[0].length))
  );
}

/** A service beside the product. */
const SERVICE =
  /(?:gift|wrap(?:ping)?|finance|credit|klarna|clearpay|paypal|express|next[ -]day|same[ -]day|saturday|engraving|insurance|warranty|tracking|discounts?|vouchers?|points?|rewards?|paiement|zahlung|pago|pagamento|betaling|relais|express\w{1,12})(?:$|[^a-z])/;

/** Whether what is not available is a service beside the product, or an earlier edition. */
export function isOfService(subject: string): boolean {
  return SERVICE.test(subject) || isOfEarlierEdition(subject);
}

/** Verbs of refusals. */
const VERB =
  /^(?:(?:is|are|has|have|was|were|will|ist|sind|wird|wurden?|werden|est|sont|n.est|ne sont|a ete|ont ete|esta|estan|fue|ya no|e|non e|sono|zijn|wordt|worden|jest|sa|zostal[aoy]?|nie jest|foi|ja nao|ar|er)(?:$|[^a-z]))/;

/** Whether a text is the subject of a refusal's sentence. */
export function isSubjectOf(subject: string, text: string): boolean {
  const refusal = refusalIn(text);
  const at = text.indexOf(subject);
  if (refusal === null || subject === '' || at < 0 || at + subject.length > refusal.index) return false;
  const behind = text.slice(at + subject.length).trimStart();
  const between = text.slice(at + subject.length, refusal.index);
  return VERB.test(behind) && SAME_SENTENCE.test(between);
}

/** Several products: a word for more than one and a plural. */
const SEVERAL_PRODUCTS = anyOf(
  '(?:^|[^a-z])(?:new|other|more|similar|related|any|all|our|latest|future|upcoming|further)(?: [\\w-]{1,20}){0,4} (?:products|items|sets|releases|arrivals|lines|drops|titles|restocks|stock alerts)(?:$|[^a-z])|(?:whole|entire|full) (?:set|range|series|shop|store)(?:$|[^a-z])',
  '(?:^|[^a-z])(?:neuen?|anderen?|weiteren?|ahnlichen?)(?: [\\w-]{1,20}){0,2} (?:produkten?|artikeln?)(?:$|[^a-z])|(?:nouveaux|autres)(?: [\\w-]{1,20}){0,2} (?:produits|articles)|(?:produits|articles) (?:similaires|nouveaux)',
  '(?:nuevos|otros|novos|outros)(?: [\\w-]{1,20}){0,2} (?:productos|articulos|produtos|artigos)|(?:nuovi|altri)(?: [\\w-]{1,20}){0,2} (?:prodotti|articoli)|(?:nieuwe|andere)(?: [\\w-]{1,20}){0,2} (?:producten|artikelen)',
  '(?:nowy|now|inny|inn)(?:ch|e)(?: [\\w-]{1,20}){0,2} (?:produkt(?:y|ach|ow)|artykul(?:y|ach|ow))|(?:nya|andra|nye|andre)(?: [\\w-]{1,20}){0,2} (?:produkter|varor|varer)',
);
const THIS_SET = /(?:of|from|in) (?:this|the same) (?:set|range|series|collection|line)/;
const THESE =
  /(?:^|[^a-z])(?:these|it|dieser|dieses|cet|est[ea]s?|quest[oaie]|deze|dit|tego|ten)(?:$|[^a-z])/;

/** Whether an alert form covers several products instead of the page's product: "Email me about new products". */
export function isGeneralAlert(text: string): boolean {
  const plain = text.replace(THIS_SET, '');
  return TELL_ME.test(plain) && SEVERAL_PRODUCTS.test(plain) && !THIS.test(plain) && !THESE.test(plain);
}
