import type { AvailabilityDetail, ProductSign } from '#shared/monitor/checks/verdict';
import { anyOf } from '../../../waiting-room/words/any-of';
import { beforeStock, isOfEarlierEdition, isOfService } from './refusal-subject';
import { MONTH, lastDayIn } from './release-date';
import {
  ABROAD,
  BACK_ORDER,
  BALLOT,
  BUY,
  CHOOSE,
  ENQUIRY,
  FEW,
  HELD,
  HOME,
  IN,
  MEMBERS,
  NEW,
  NOT_TO_US,
  NO_LONGER_SOLD,
  OTHER_OPTIONS,
  OTHER_SELLERS,
  OUT,
  PRE_ORDER,
  PRE_ORDER_NOW,
  RELEASE,
  SIGN_IN_TO_BUY,
  SMALL_NUMBER,
  SOLD_BY_OTHERS,
  SOON,
  STORE,
  STORE_ALONE,
  TELL_ME,
  USED,
} from './stock-vocabulary';

/** The stock state that words express. */
export interface Wording {
  says: ProductSign['says'];
  detail: AvailabilityDetail | null;
}

const IF = anyOf(
  '(?:^|[^a-z])(?:if|when|once|whenever|as soon as|before|until|unless|wenn|sobald|falls|bis|si|quand|lorsque|des que|cuando|en cuanto|quando|appena|als|zodra|wanneer|gdy|jesli|kiedy|assim que)(?:$|[^a-z])',
);
/** The end of a text about the past: "this set was". */
const PAST =
  /(?:^|[^a-z])(?:was|were|had been|have been|used to be|never|rarely|seldom|usually|often|normally|typically|generally|sometimes|hardly ever|last (?:seen|known)|previously|last time(?: (?:it|they|these|we))?|etai(?:t|ent)|war|waren|fue|estaba|era|byl[aoy]?)(?: [a-z]{1,12}){0,2}[ -]?.?$/;
/** After "sold out": how fast, or where. */
const QUICKLY =
  /^ ?\? |^ (?:possible|moglich|posible|possibile|mogelijk)(?:$|[^a-z])|^(?:の|と|に)?(?:な(?:る|った|り))?(?:際|場合|時|次第)|^ (?:(?:in|within) (?:just |only |under |a few |less than |the first )?(?:\d{1,3} |an? |one |two |three )?(?:seconds?|minutes?|hours?|days?|weeks?|weekend|afternoon|no time|record)|very fast|fast|quickly|instantly|everywhere|elsewhere|at (?:launch|most|other|the big))/;
/** A future day, after words such as "back in stock". */
const LATER = `(?:in|on|by(?! popular)|from|around|next|this|early|mid|late|at the end|end|within|towards?|later|shortly|soon|again|ab|am|im|le|fin|debut|mi|en|el|il|a|op|vanaf|od|${MONTH})(?:$|[^a-z])`;
/** An expected product is out of stock: "we expect it back in stock", "back in stock in March". */
const EXPECTED = new RegExp(
  `(?:will|should|expect(?:ed|ing|s)?|hop(?:e|ing)|due|awaiting|to be|are getting)(?: [a-z]{1,12}){0,3} (?:in stock|available)(?:$|[^a-z])(?! (?:at|for) (?:your|collection))|back in stock ${LATER}|(?:wieder|de retour|de nouveau|weer|di nuovo|de nuevo|ponownie) (?:auf lager|lieferbar|verfugbar|en stock|disponible|disponibile|op voorraad|leverbaar|dostepny) ${LATER}|(?:voraussichtlich|verwacht|previst[oa]) (?:wieder )?(?:ab |am |vanaf )?`,
);
/** A day of stock, not of a release. */
const IN_STOCK_LATER =
  /^(?:(?:back|due|expected|again|wieder|de nouveau|de nuevo|di nuovo|weer|ponownie) )?(?:in stock|lieferbar|verfugbar|disponible|disponibile|disponivel|tillganglig|[ip]a? lager|leverbaar|beschikbaar|dostepn[yea]) /;
/** Before words such as "in stock": "no more available", "zero in stock". */
const NONE_OF =
  /(?:^|[^a-z])(?:no|zero|nil|none|nothing)(?: (?:date|eta|stock|estimate|more|further|copies|units|items|boxes|packs|left|are|is|currently|now|of|these|them)){0,3} ?$|(?:^|[^\d.,])0(?: [a-z]{1,12}\.?)? ?$/;
/** A filter, a date of the past, or the stock of others. */
const NOT_NOW =
  /(?:when|if|once|where) (?:it is |they are |it.s )?(?:in stock|available)|in[\s-]stock only|in stock ?\?|in stock for (?:trade|wholesale|members|subscribers|club|collection)|last in stock:? \d|in stock (?:\w{1,20} ){0,3}ago(?:$|[^a-z])|in stock (?:at|with) (?:\d{1,4}|other|these|our suppliers?|(?:the |our )?suppliers?)(?:$|[^a-z])/;
/** Things other than a product that may be "available" or "in stock". */
const OTHER_SUBJECT =
  /(?:^|[^a-z])(?:gift|finance|credit|klarna|paypal|clearpay|wrap(?:ping)?|spares?|parts|rule ?books?|instructions?|pdf|downloads?|guides?|demo|samples?|trial|colou?rs|sizes|styles|returns?|warranty|insurance|quotes?|discounts?|trade|part exchange|support|apps?|videos?|accessor(?:y|ies)|matching|other|also|replacements?|subscriptions?|memberships?|vouchers?|tracking|express|next[ -]day|same[ -]day|instal(?:l?ments?)?|layaway|lay-?by|wholesale|bulk|sleeves|binders?|refills?|customer service|chat)(?:$|[^a-z])/;
const GENERAL = anyOf(
  '(?:^|[.!?] )(?:anything|whatever|any (?:item|product|article)) (?:that|which) |(?:^|[^a-z])(?:an|any) (?:item|product|article)(?:$|[^a-z])|substitut|(?:^|[.!?] )(?:items|products|lines)(?: ordered)? (?:(?:that|which) )?(?:are|were|marked|shown|listed) |(?:sold[\\s-]out|out[\\s-]of[\\s-]stock) (?:lines|items|products|titles)(?:$|[^a-z])|^(?:everything|anything|nothing)(?:$|[^a-z])(?!.{0,30}(?:sold out|out of stock|unavailable))|pre-?orders (?:never|always|ship|will|may|can|cannot|placed|charged|over|with|are (?:charged|sent|shipped|dispatched|not|final|guaranteed|billed|held))(?:$|[^a-z])|(?:all|most|some|any|our|many|of|on|for) (?:\\w{1,20} )?(?:items|products|orders|goods|lines)|(?<!last )(?<!\\d )items? (?:that are )?in stock|in[\\s-]stock (?:items|products|orders|goods|lines|date|alternatives?|titles|picks|favou?rites|now in|et dans|in derselben)|en stock et |(?:lines|products|titles|designs|games) (?:are |always )?in stock|(?:orders|items) (?:placed|in stock) before|alle artikel|tous les articles|\\d[.,]\\d{3}\\+? (?:items|products|lines|titles|games|singles)|artikel (?:auf|am) lager (?:werden|sind|gehen|verschicken|verlassen)|(?:^|[^a-z])(?:les|nos|los|nuestros|os|nossos) (?:articles|produits|articulos|productos|artigos|produtos) (?:en|em) (?:stock|existencias|estoque)|(?:articoli|prodotti) (?:disponibili|in magazzino) |(?:artikelen|producten) (?:op|in|uit) voorraad|produkt(?:y|ow) (?:na stanie|w magazynie)|stock (?:levels|photo|image|check|availability)(?: \\w{1,20}){0,3} (?:may|can|are)',
);

/** A negation before the words: "not available on". */
const NEGATED =
  /(?:^|[^a-z])(?:no|not|non|nicht|kein\w{0,2}|niet|geen|pas|nie|nao|inte|ikke)(?: \w{1,12}){0,3} ?$/;

/** Labels whose values are the shop's own names: "Categories: Tins, In Stock Now". */
const LABELS =
  /(?:^|[^a-z])(?:categor(?:y|ies)|tags?|collections|kategorien?|schlagworte?|categories|categorias?|categorie|filed under|posted in) ?:/;
const LONG_LINE = 160;
/** After a statement: "It is sold out. Why not look at others?" */
const LAST_QUESTION = /(?<=[.!]) [^.!?]{1,100}\?$/;
/** The options of a filter with their product counts: "In stock (21)". */
const FACET =
  /^(?:in stock|out of stock|available|pre-?orders?|coming soon|auf lager|lieferbar|en stock|disponible|op voorraad) ?\((?:[4-9]|\d{2,5})\)/;
const FIRST_SENTENCE = /^[^.!?]{6,50}[.!](?= )/;
/** WooCommerce: in stock, and more may be ordered. */
const MAY_BE_BACK_ORDERED = / ?\(?(?:can be|also available on) back-?order(?:ed)?\)?/;

/** Words for unreleased products that are sent when they come in. */
const BEFORE_RELEASE =
  /pre-?order|not yet (?:published|released)|vorbestell|precommande|prevendita|preventa|pre-?venda|voorverkoop|przedsprzedaz|forhands/;

/** A reduced price, at the start of a text. */
const OF_OFFER =
  /^(?:(?:this|the|our|special|promotional|price) )?(?:offers?|promotions?|discounts?|deals?|prices?|savings?)(?:$|[^a-z])/;

/** Not yet gone: "nearly sold out". */
const ALMOST =
  /(^|[^a-z])(?:almost|nearly|fast|bijna|bientot|presque|casi|quasi|prawie|quase|naesten|nastan) (?:all )?(?:sold[\s-]?out|gone|out of stock|ausverkauft|vergriffen|uitverkocht|epuise|agotad[oa]|esaurit[oa]|wyprzedan[yea]|esgotad[oa]|udsolgt|slut(?:sald)?)/;
const SENT_PRE_ORDERS =
  /pre-?orders? (?:have|has|are|were) (?:now |all |already ){0,2}(?:been )?(?:shipped|sent|dispatched|despatched|delivered|fulfilled)/;

/**
 * The stock state in a line next to the product, or null. `text` is folded. Questions, conditions ("when it is back in
 * stock") and general sentences about the shop say nothing, and neither does a release that lies before `today`
 * (`YYYY-MM-DD`).
 */
export function readStockLine(line: string, today: string | null = null): Wording | null {
  if (line.length < 2) return null;
  // A text may begin with it: "Coming soon! The pins …".
  const lead = line.length > 90 ? FIRST_SENTENCE.exec(line)?.[0] : undefined;
  const said = lead === undefined ? null : readStockLine(lead, today);
  // "We have none on the shelf. This item is on back-order …"
  const isOrdered = said?.says === 'out_of_stock' && line.length <= LONG_LINE && BACK_ORDER.test(line);
  if ((said !== null && !isOrdered) || line.length > LONG_LINE) return said;
  const text = line
    .replace(MAY_BE_BACK_ORDERED, '')
    .replace(SENT_PRE_ORDERS, '')
    .replace(ALMOST, '$1few left');
  // A label of Amazon's, followed by its value.
  if (/discontinued by (?:the )?manufacturer(?!\W{1,4}yes)/.test(text)) return null;
  if (NO_LONGER_SOLD.test(text)) {
    if (IF.test(text.slice(0, 20)) || isOfEarlierEdition(text.slice(0, NO_LONGER_SOLD.exec(text)?.index)))
      return null;
    return { says: 'discontinued', detail: null };
  }
  const later = BACK_ORDER.exec(text);
  if (later !== null && !NEGATED.test(text.slice(0, later.index)))
    return { says: 'preorder', detail: BEFORE_RELEASE.test(text) ? 'release' : 'backorder' };
  if (text.endsWith('?')) {
    const stated = text.replace(LAST_QUESTION, '');
    return stated === text ? null : readStockLine(stated, today);
  }
  if (LABELS.test(text) || FACET.test(text)) return null;
  // The terms of a price: "Offer valid until 20/10/2026. Members only."
  if (MEMBERS.test(text)) return OF_OFFER.test(text) ? null : { says: 'out_of_stock', detail: null };
  if (STORE_ALONE.test(text) && !ABROAD.test(text)) return { says: 'out_of_stock', detail: 'in_store_only' };
  if (BALLOT.test(text)) return { says: 'out_of_stock', detail: 'ballot' };
  if (TELL_ME.test(text))
    return OF_PRICE.test(text) && !/stock|avail/.test(text) ? null : { says: 'out_of_stock', detail: null };
  if (refusesOrders(text) || NOT_TO_US.test(text)) return { says: 'out_of_stock', detail: null };
  if (GENERAL.test(text)) return null;
  if (ALL_TAKEN.test(text)) return { says: 'out_of_stock', detail: null };
  const isOut = OUT.test(text);
  if (isOut && ABROAD.test(text)) return null;
  if (isOut && STORE.test(text) && HOME.test(text)) {
    // "Sold out in store, available online": the delivery counts.
    const ofDelivery = text.split(/[.;,|–—]/, 6).filter((part) => HOME.test(part) && !STORE.test(part));
    if (/online only|only online/.test(text)) return null;
    if (ofDelivery.length > 0 && ofDelivery[0] !== text)
      return readStockLine((ofDelivery[0] ?? '').trim(), today);
  }
  if (STORE.test(text) && !HOME.test(text)) {
    // A distant shop, which does not matter for orders.
    return !isOut && (IN.test(text) || FEW.test(text) || /available (?:in|at|from|for)/.test(text))
      ? { says: 'nothing', detail: 'in_store_only' }
      : null;
  }
  if (
    isOut &&
    /back (?:in stock )?soon|more (?:stock )?(?:coming|due|arriving|expected)/.test(text) &&
    !/out of|sold|unavail/.test(text)
  )
    return IF.test(text) ? null : { says: 'out_of_stock', detail: null };
  // "Out of stock, available for pre-order"
  const ordered = isOut ? text.search(PRE_ORDER_NOW) : -1;
  if (ordered > text.search(OUT) && !isConditional(text, PRE_ORDER_NOW))
    return { says: 'preorder', detail: 'release' };
  if (isOut)
    return isConditional(text, OUT) || isOfService(beforeStock(text) ?? '')
      ? null
      : {
          says: 'out_of_stock',
          detail: /^coming soon|not (?:yet )?released/.test(text) ? 'coming_soon' : null,
        };
  const day = today === null ? null : lastDayIn(text);
  const isOver = today !== null && day !== null && day <= today;
  if (isOver && CLOSES.test(text) && !isConditional(text, CLOSES))
    return { says: 'out_of_stock', detail: null };
  if (WHEN_RELEASED.test(text) && !isOver) return { says: 'preorder', detail: 'release' };
  // "In stock. Dispatched on 28 November" is about the delivery.
  if (/^in stock(?: now)?[.,;!-]/.test(text) && !PRE_ORDER.test(text))
    return FEW.test(text) ? { says: 'limited', detail: 'low_stock' } : { says: 'in_stock', detail: null };
  if (PRE_ORDER_NOW.test(text) && !isConditional(text, PRE_ORDER_NOW))
    return { says: 'preorder', detail: 'release' };
  if (SOON.test(text))
    return isOver || text.length > 90 || IF.test(text)
      ? null
      : { says: 'out_of_stock', detail: 'coming_soon' };
  if (PRE_ORDER.test(text) && ABOUT_ORDERS.test(text)) return null;
  if (PRE_ORDER.test(text))
    return isConditional(text, PRE_ORDER) || NEGATED.test(text.slice(0, PRE_ORDER.exec(text)?.index))
      ? null
      : { says: 'preorder', detail: 'release' };
  if (RELEASE.test(text) && !isOver)
    return isConditional(text, RELEASE)
      ? null
      : { says: 'preorder', detail: IN_STOCK_LATER.test(text) ? 'backorder' : 'release' };
  // A back-order means more stock will come.
  if (SMALL_NUMBER.test(text))
    return { says: line === text ? 'limited' : 'in_stock', detail: line === text ? 'low_stock' : null };
  if (FEW.test(text)) return isConditional(text, FEW) ? null : { says: 'limited', detail: 'low_stock' };
  if (NOT_NOW.test(text)) return null;
  const inStock = IN.exec(text);
  if (inStock === null || isConditional(text, IN)) return null;
  if (OTHER_SUBJECT.test(text.slice(0, inStock.index + 1))) return null;
  if (NONE_OF.test(text.slice(0, inStock.index))) return { says: 'out_of_stock', detail: null };
  // "Na sklade: 0 ks"
  if (
    /^ ?[:(] ?0(?![\d.,])/.test(text.slice(inStock.index + inStock[0].trimEnd().replace(/[:(]$/, '').length))
  )
    return { says: 'out_of_stock', detail: null };
  if (EXPECTED.test(text)) return isOver ? null : { says: 'out_of_stock', detail: null };
  return inStock.index <= 40 ? { says: 'in_stock', detail: null } : null;
}

/** Whether a line says that the chosen variant is gone, and another one can be bought. */
export function namesOtherOptions(text: string): boolean {
  return text.length < LONG_LINE && OTHER_OPTIONS.test(text);
}

/** Whether a line says that the product is in stock on a day to come: "Back in stock on 12 March 2027". */
export function isStockLater(text: string): boolean {
  return RELEASE.test(text) && /in stock|auf lager|en stock|op voorraad|lieferbar/.test(text);
}

/** Whether a refusal says when the product comes. */
export function expectsStock(text: string): boolean {
  return EXPECTED.test(text) || RELEASE.test(text);
}

/** Whether a line says that the shop takes no orders now. */
export function refusesOrders(text: string): boolean {
  return text.length <= LONG_LINE && HELD.test(text) && !IF.test(text.slice(0, 20));
}

/** Whether the words follow a condition ("we tell you if it is out of stock"), or are about the past. */
function isConditional(text: string, words: RegExp): boolean {
  const match = words.exec(text);
  const at = match?.index ?? 0;
  const end = at + (match?.[0].length ?? 0);
  return (
    IF.test(text.slice(0, at + 1)) ||
    PAST.test(text.slice(Math.max(0, at - 40), at + 1)) ||
    QUICKLY.test(text.slice(end, end + 40))
  );
}

/** Sent on release: "Ships when released: 19 March 2027". */
const WHEN_RELEASED =
  /(?:ships?|shipped|sent|dispatched|despatched|posted|delivered|leaves us|yours) (?:when|once|as soon as|on the day) (?:it.s |it is |it )?(?:released?|out|published|launched|launches|comes out)(?:$|[^a-z])/;
/** "250 of 250 claimed". */
const ALL_TAKEN = /(?:^|[^\d])(\d{1,5}) ?(?:of|\/) ?\1 (?:claimed|sold|taken|gone|reserved)(?:$|[^a-z])/;
/** The last day on which orders are taken. */
const CLOSES =
  /order(?:s|ing)?(?: window| book)? (?:close[sd]?|end(?:s|ed)?|deadline|cut-?off|until|by)(?:$|[^a-z])|last (?:day|date|chance) (?:to|for) (?:pre-?)?order|available until|(?:vorbestell|bestell)\w{0,10} bis|precommandes? jusqu|reservas? hasta|preordini? fino|bestellen tot/;

/** Whether a label begins with a name and then refuses it: "Single pack Sold out". */
export function refusesNamed(text: string): boolean {
  return OUT.test(text) && /\p{L}{3}/u.test(beforeStock(text) ?? '');
}

const ASKS_TO_SIGN_IN = anyOf(SIGN_IN_TO_BUY);
/** Whether a text asks for a sign-in before anything can be ordered. */
export function asksToSignIn(text: string): boolean {
  return ASKS_TO_SIGN_IN.test(text);
}

/** Whether a text only offers stock alerts: "Restock alerts". Next to a buy button, it refuses nothing. */
export function isStockAlert(text: string): boolean {
  return TELL_ME.test(text) && (!OUT.test(text) || isConditional(text, OUT));
}

/** Buttons for more than the product, or for an extra: "Add both to basket", "Add gift wrap". */
const SEVERAL =
  /^(?:przejdz|idz|wroc) |^buy now,? pay|^buy with (?!paypal|one|1)|^(?:\+ ?)?(?:add|buy|get) (?:both|all (?:\d|two|three|four|items|products|selected)|these|them|selected|bundle|the bundle|set together|together|\d{1,2} items)(?:$|[^a-z])|^(?:add|buy)(?: \w{1,12}){0,3} (?:gift|wrap(?:ping)?|protection|warranty|insurance|cover|voucher|vouchers|sleeves|accessor(?:y|ies)|samples?|donation|carbon)(?:$|[^a-z])|^buy (?:on|from|at|in|gift|a gift|more|back|similar|another|other|(?:the |a )?(?:digital|e-?book|pdf|app|ticket|code|subscription|membership)s?)(?:$|[^a-z])|(?:enquiry|inquiry|quote|sell|buylist|sample|trade(?:[\s-]in)?) (?:cart|basket|bag|list)(?:$|[^a-z])/;

/** A button for collection from a local shop. */
const COLLECT =
  /^(?:(?:reserve|click|collect|pick[\s-]?up|book) (?:(?:and|&|\+) collect|(?:it |yours )?(?:in|from|at) )|(?:in der filiale|im markt|retirer|retrait|reserver en|recoger|reservar en|ritira|prenota in|afhalen|ophalen|reserveer in|odbierz|zarezerwuj w|levantar|hamta i|afhent i)(?:$|[^a-z]))/;

/** What a button or a similar element offers. `nothing`: a variant must be chosen first. Null: something else. */
export function readButton(text: string): Wording | null {
  if (text.length < 2 || text.length > 100) return null;
  if (MEMBERS.test(text)) return { says: 'out_of_stock', detail: null };
  if (
    /wish ?list|favou?rites?|merkzettel|compare|reviews?|newsletter|log ?in|sign ?in|subscribe(?! (?:and|&) save)/.test(
      text,
    )
  )
    return null;
  if (SEVERAL.test(text) || QUESTION.test(text)) return null;
  if (BALLOT.test(text)) return { says: 'out_of_stock', detail: 'ballot' };
  if (BACK_ORDER.test(text)) return { says: 'preorder', detail: 'backorder' };
  if (TELL_ME.test(text) && OF_PRICE.test(text) && !/stock|avail/.test(text)) return null;
  const tells = TELL_ME.test(text);
  if (STORE.test(text) && !tells && !BUY.test(text) && !HOME.test(text) && !STORE_ALONE.test(text))
    return COLLECT.test(text) && !OUT.test(text) ? { says: 'nothing', detail: 'in_store_only' } : null;
  const refused = OUT.test(text) || tells;
  if (tells || (refused && !/^(?:add|buy)/.test(text))) return { says: 'out_of_stock', detail: null };
  if (SOON.test(text)) return { says: 'out_of_stock', detail: 'coming_soon' };
  if (STORE_ALONE.test(text)) return { says: 'out_of_stock', detail: 'in_store_only' };
  if (STORE.test(text) && !BUY.test(text)) return null;
  if (PRE_ORDER.test(text) || RELEASE.test(text))
    return ABOUT_ORDERS.test(text) ? null : { says: 'preorder', detail: 'release' };
  if (CHOOSE.test(text)) return { says: 'nothing', detail: null };
  if (BUY.test(text))
    return refused ? { says: 'out_of_stock', detail: null } : { says: 'in_stock', detail: null };
  return null;
}

/** "When will it be back?" is a question of an FAQ. */
const QUESTION = /^(?:when|what|how|why|where|who|is|are|can|will|do|does) .{0,80}\?$/;
/** The name of a page, or of a part of one, about pre-orders: "Pre-order terms". */
const ABOUT_ORDERS =
  /^(?:about|how|what|why|when|read|learn|more (?:on|about)|(?:shipping|delivery|returns?|payments?)(?: &| and|,)) |^(?!.*(?:now|today|jetzt)(?:$|[^a-z])).*(?:^|[^a-z])(?:terms|conditions|polic(?:y|ies)|faqs?|guide|info|information|informationen|rules|guarantee|calendar|explained|help|hilfe|bedingungen|condizioni|condiciones|voorwaarden|warunki)$/;

/** Informal labels of an add-to-basket button: "Get it", "Grab yours", "Yes please". */
const TAKE =
  /^(?:yes|get|grab|bag|snap|take|claim|i(?:'ll| will)? (?:want|need|take|have)|want|gimme|treat|nab|secure|own|pick|pop|put|throw|collect|adopt|catch|secure|shop|order|purchase|buy|add)(?:$|[^a-z])/;
const TAKE_NOTHING =
  /(?:^|[^a-z])(?:back|notif\w{0,8}|alert\w{0,3}|updates?|help|quote|advice|directions?|info|more|details?|news|early|access|voucher|code|points|later|gift|list|in touch|insurance|protection|warranty|wrap\w{0,5}|sleeves?|in store)(?:$|[^a-z])/;

/** Whether a text is about alerts of the price. */
const OF_PRICE = /(?:price|cheaper|reduced|on sale)(?:$|[^a-z])/;

/** What the label of an add-to-basket button offers. Null: the label may mean anything. */
export function readBasketButton(text: string): Wording | null {
  if (text.length < 2 || text.length > 40) return null;
  if (TAKE_NOTHING.test(text) || SEVERAL.test(text) || (STORE.test(text) && !HOME.test(text))) return null;
  return TAKE.test(text) ? { says: 'in_stock', detail: null } : null;
}

/** Whether a button only contacts the shop: "Enquire now". */
export function isEnquiry(text: string): boolean {
  return text.length <= 60 && (ENQUIRY.test(text) || isBid(text));
}

/** Whether a button saves a product for later, or only shows details. */
export function isAside(text: string): boolean {
  return /wish|favou?rite|watch ?list|save (?:it )?for later|merkzettel|merken|^(?:(?:learn|find out|discover) more|(?:view|see) details|mehr (?:erfahren|infos?)|en savoir plus|(?:saber|ver) mas|scopri di piu|meer (?:info|lezen|weten))(?:$|[^a-z])/.test(
    text,
  );
}

/** Whether a button takes bids. */
export function isBid(text: string): boolean {
  return /(?:^|[^a-z])bid(?:$|[^a-z])|gebot abgeben|mitbieten|(?:^|jetzt |nu )biede?n$|encherir|pujar|fai un.offerta|bod (?:plaatsen|uitbrengen)|licytuj|入札/.test(
    text,
  );
}

/** Whether an option is a placeholder: "Choose a design". `text` is folded. */
export function isNoChoice(text: string): boolean {
  return (
    text === '' ||
    CHOOSE.test(text) ||
    /^-+$|^-+ ?(?:select|choose|please|bitte|choisir|kies|wahl)/.test(text)
  );
}

/** Whether a text is about delivery to the customer. */
export function isHome(text: string): boolean {
  return HOME.test(text);
}

/** Whether a line says that others sell the product, and not the shop. */
export function namesOtherSellers(text: string): boolean {
  return text.length <= LONG_LINE && OTHER_SELLERS.test(text);
}

/** Whether a line says that the shop sells nothing itself: "all offers below are by private sellers". */
export function namesOnlyOtherSellers(text: string): boolean {
  return text.length <= LONG_LINE && SOLD_BY_OTHERS.test(text);
}

/** Whether a text is about used goods. */
export function namesUsed(text: string): boolean {
  return USED.test(text);
}

/** Whether a text says that goods are new. */
export function namesNew(text: string): boolean {
  return NEW.test(text.replace(/pre-?used|(?:as|like|nearly)[ -]new/g, ''));
}

/** The availability of schema.org, Open Graph and shop systems in one word, or null. */
export function readAvailabilityTerm(value: unknown): Wording | null {
  if (typeof value !== 'string' || value.length > 100) return null;
  const term = lastPartOf(value.replace(/\/{1,4}$/, ''))
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return TERMS.get(term) ?? null;
}

const term = (says: Wording['says'], detail: Wording['detail'], words: string): Array<[string, Wording]> =>
  words.split(' ').map((word) => [word, { says, detail }]);

const TERMS: ReadonlyMap<string, Wording> = new Map([
  ...term(
    'in_stock',
    null,
    'instock onlineonly available availableonline instockonline inventoryavailable yes high highstock sellable buyable orderable inventoryinstock availablefororder availablefordelivery',
  ),
  ...term(
    'limited',
    'low_stock',
    'limitedavailability lowstock low limited limitedstock lastitems lastremainingitems almostsoldout fewleft limitedquantity',
  ),
  ...term('preorder', 'release', 'preorder presale preorderable availableforpreorder preorders prerelease'),
  ...term(
    'preorder',
    'backorder',
    'backorder backordered backorderable onbackorder madetoorder availableonbackorder availabletobackorder',
  ),
  ...term(
    'out_of_stock',
    null,
    'outofstock soldout oos notavailable unavailable nostock outofstockonline noinventory notinstock reserved temporarilyoutofstock temporarilyunavailable currentlyunavailable notorderable notsellable noton sale zerostock outstock',
  ),
  ...term('out_of_stock', 'coming_soon', 'comingsoon notyetavailable notreleased'),
  ...term('out_of_stock', 'in_store_only', 'instoreonly storeonly availableinstore instore collectiononly'),
  ...term('discontinued', null, 'discontinued endoflife nolongeravailable retired delisted'),
]);

/** The name after the last `/`, `#` or `:`. */
export function lastPartOf(name: string): string {
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('#'), name.lastIndexOf(':')) + 1);
}
