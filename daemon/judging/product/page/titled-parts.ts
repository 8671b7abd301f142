import { foldText } from '../../../waiting-room/parse/normalise-text';
import { anyOf } from '../../../waiting-room/words/any-of';
import type { Heading, Line, ProductReader } from './product-reader';
import { readStockLine } from '../words/stock-words';

const OTHER_HEADING = anyOf(
  '^others? (?:in|from) (?:the|this|our) (?:same )?(?:range|series|set|collection|line|shop)|^also (?:bought|viewed|liked|by|from|in (?:this|the))(?:$|[^a-z])|(?:you|people|customers|others|shoppers|collectors|we think you)(?:.ll| will| may| might| who)?(?: \\w{1,20}){0,4} (?:also|like|love|bought|viewed|need)|related|similar (?:items|products)|frequently bought|often bought|bought together|recently viewed|more (?:from|like|by|in this)|recommend(?!(?:ed)? (?:(?:for )?ages?(?:$|[^a-z])|(?:retail |selling |sales |consumer )?price))|complete (?:the|your)|goes (?:well|great) with|pairs? (?:well )?with|popular|trending|best ?sellers|new (?:in|arrivals)(?:$|[^a-z])|sponsored|you may|other (?:products|sellers|customers|items|buying|shoppers)|why not (?:try|add|buy)|in the same|shop (?:the|more)|what about|instead|alternatives?|while you|don.t forget|add(?:-| )?ons?(?:$|[^a-z])|back in stock (?:now|this)|products related|inspired by|compare with|available now:|perhaps one of|looking for something|^(?:(?:the )?latest |more )?news(?:$| (?:from|and|&))|from (?:the|our) blog|latest (?:posts|articles|stories)',
  '^(?:resume|caracteristiques|fiche technique|presentation|en detail|descripcion|caracteristicas|descrizione|caratteristiche|omschrijving|productomschrijving|kenmerken|opis(?: produktu)?|parametry|artikeldetails|produktdetails|details|商品(?:説明|詳細|情報))$|(?:customer |product )?reviews?(?:$|[^a-z])|ratings?|questions|q ?& ?a|faqs?|what (?:\\w{1,20} ){1,2}(?:say|think|said)|description|specification|delivery (?:and|&|information|options$)|^(?:sending|posting|shipping) (?:it|this|them|to|and|&|information|costs?)|^postage(?:$| and| &)|returns|newsletter|sign up|follow us',
  'das konnte|ahnliche|kunden (?:kauften|haben)|zuletzt (?:an)?gesehen|passend|zubehor|(?<!preis)empfehl(?!\\w{0,6} (?:verkaufs|laden)?preis)|weitere (?:artikel|produkte)|bewertungen|auch interessant|beschreibung|vous aimerez|produits (?:similaires|associes|complementaires|vus)|les clients|dans la meme|avis|articles? similaires|tambien te|te puede|productos (?:relacionados|similares)|opiniones|potrebbe|prodotti (?:correlati|simili)|recensioni|(?:anderen|klanten) (?:kochten|bekeken)|gerelateerd|vergelijkbare|misschien|reviews|podobne|polecane|klienci|inni|opinie|powiazane|zobacz (?:tez|takze)|relacionados|liknande|andra kopte|関連商品|おすすめ|この商品を(?:買った|見た|購入|チェック)|こんな商品も|(?:一緒|いっしょ|同時)に(?:購入|買|おすすめ)|最近(?:チェック|見た|閲覧)|チェックした商品|類似商品|ランキング',
);
/** Those of them that are about the product. */
const ABOUT_PRODUCT =
  /descri|descripcion|^resume$|caracter|caratter|^fiche|^presentation$|detail|omschrijving|kenmerken|^opis|^parametry|商品|^sending|^posting|^shipping|^postage|deliver|return|review|rating|specif|question|faq|q ?& ?a|newsletter|follow us|sign up|say|said|beschreib|bewert|avis|opini|recension/;
/** Titles of texts about the product, as a whole. None of them names another product. */
const TEXT_TITLE = anyOf(
  `^(?:(?:the|a|full|short|long|product|item|set|box|key|main|technical|tech|more|further|additional|important|customer|other|our|your|game|shipping|safety|size|general) ){0,3}(?:${[
    'descriptions?|details?|overview|summary|features?|highlights|specifications?|specs|data|contents?|information|info|reviews?|ratings|questions|answers|faqs?|q ?& ?a|delivery|shipping|returns?|warranty|guide|instructions?|warnings?|notes?|videos?|images|gallery|materials?|dimensions?|downloads?|story|rules|gameplay|at a glance|includes?|included',
    'beschreibung|produktbeschreibung|artikelbeschreibung|produktdetails|produktinformation(?:en)?|artikeldetails|details zum produkt|lieferumfang|inhalt|bewertungen|kundenbewertungen|eigenschaften|merkmale|technische daten|produktdaten|hinweise|sicherheitshinweise|versand|lieferung|fragen',
    'caracteristiques|contenu(?: de la boite)?|fiche technique|avis(?: clients?)?|details du produit|en detail|presentation|livraison',
    'descripcion|caracteristicas|ficha tecnica|contenido|opiniones|detalles|envio|preguntas|descrizione|caratteristiche|contenuto|recensioni|dettagli|scheda tecnica|spedizione|domande',
    'omschrijving|productomschrijving|beschrijving|productbeschrijving|kenmerken|productkenmerken|specificaties|inhoud|beoordelingen|productinformatie|verzending|vragen|opis|opis produktu|specyfikacja|zawartosc(?: zestawu)?|parametry|opinie|dostawa|pytania',
    'descricao|detalhes|conteudo|avaliacoes|envio|beskrivning|produktbeskrivning|egenskaper|innehall|omdomen|beskrivelse|produktbeskrivelse|indhold|anmeldelser',
  ].join('|')})(?: (?:and|&|und|et|y|e|en|i|och|og|/|of|for) .{2,30})?[:?.]?$`,
  '^(?:about (?:the|this|our|your)|what(?:.s| is| you)|how (?:to|it)|why |in the box|inside the|who is|meet the|good to know|was ist|das ist|uber (?:das|den|die)|im lieferumfang|que contient|dans la boite|a propos|que incluye|sobre |acerca de|cosa |informazioni|wat zit|over (?:dit|het|de)|co zawiera|o produkcie|w zestawie|om produkten|商品(?:説明|詳細|情報|仕様)|レビュー|仕様|内容|特徴)',
);

/** A plain line that praises the product, above what sells it. */
const BADGE =
  /^(?:(?:our|a|top|most) )?(?:best ?sell(?:ers?|ing)|popular(?: choice| item)?|new (?:in|arrivals?)|trending(?: now)?|recommended)!?$/;

/** In characters: the minimum length of a text next to a title. */
const SHORTEST_TEXT = 40;

/** The part of a page from one element up to another, which is excluded. */
export interface Counts {
  /** The number of prices and of buttons. */
  selling(from: number, to: number): number;
  /** The number of buttons. */
  offers(from: number, to: number): number;
  /** The number of characters. */
  text(from: number, to: number): number;
}

interface Where {
  heading: Heading | null;
  /** By element: 1 if it holds the heading of the product. */
  holdsHeading: Uint8Array;
  counts: Counts;
}

/** Counts what the lines and the buttons of a page hold. */
export function countBefore(
  { elements: { length } }: ProductReader,
  {
    lines,
    actions,
  }: {
    lines: ReadonlyArray<Pick<Line, 'node'> & { text: string; mayCost: boolean }>;
    actions: ReadonlyArray<{ node: number }>;
  },
): Counts {
  const offers = new Uint32Array(length + 1);
  const prices = new Uint32Array(length + 1);
  const text = new Uint32Array(length + 1);
  for (const { node } of actions) offers[node + 1] = (offers[node + 1] ?? 0) + 1;
  for (const line of lines) {
    if (line.mayCost) prices[line.node + 1] = (prices[line.node + 1] ?? 0) + 1;
    text[line.node + 1] = (text[line.node + 1] ?? 0) + line.text.length;
  }
  for (const sums of [offers, prices, text])
    for (let node = 0; node < length; node += 1) sums[node + 1] = (sums[node + 1] ?? 0) + (sums[node] ?? 0);
  const between = (sums: Uint32Array, from: number, to: number): number =>
    (sums[to] ?? 0) - (sums[from] ?? 0);
  return {
    selling: (from, to) => between(offers, from, to) + between(prices, from, to),
    offers: (from, to) => between(offers, from, to),
    text: (from, to) => between(text, from, to),
  };
}

/**
 * Tells whether a heading is the title of a text about the product: by its words; or because no button stands above it, and
 * around it stands a text without any price or button. Then what sells behind that text is the product, not a card with this name.
 */
export function titlesOfTexts(
  reader: ProductReader,
  {
    heading,
    holdsHeading,
    counts,
    isName,
  }: Where & {
    /** Whether a heading, by its words and the amount below it, may be the name of another product. */
    isName: (node: number, text: string) => boolean;
  },
): (node: number, text: string) => boolean {
  const { elements, parents, ends } = reader;
  const isInText = (node: number, text: string): boolean => {
    if (heading === null || node < heading.node || counts.offers(heading.node, node) > 0) return false;
    if (isName(node, text)) return false;
    const inside = elements.slice(node, Math.min(ends[node] ?? node, node + 10) + 1);
    if (inside.some(({ name }) => name === 'a')) return false;
    for (let part = parents[node] ?? -1, up = 0; up < 3; part = parents[part] ?? -1, up += 1) {
      if (part < 0 || holdsHeading[part] === 1 || elements[part]?.name === 'a') return false;
      const end = (ends[part] ?? part) + 1;
      if (counts.selling(part, end) > 0) return false;
      if (counts.text(part, end) - text.length >= SHORTEST_TEXT) return true;
    }
    return false;
  };
  return (node, text) => TEXT_TITLE.test(foldText(text)) || isInText(node, text);
}

/** A part of a page, from one element to another. `isAbout`: it is a text about the product, such as its description. */
interface TitledPart {
  from: number;
  to: number;
  isAbout: boolean;
}

/** The parts of a page below titles such as "You may also like" or "Reviews", which do not sell the product. */
export function titledParts(
  reader: ProductReader,
  {
    heading,
    holdsHeading,
    lines,
    card,
    counts,
  }: Where & {
    lines: ReadonlyArray<Pick<Line, 'node' | 'isLink'> & { text: string }>;
    /** By element: 1 for a card of another product. */
    card: Uint8Array;
  },
): TitledPart[] {
  const { elements, parents, ends } = reader;
  const endOf = (node: number): number => (ends[node] ?? node) + 1;
  const isTag = (node: number): boolean => /^h[2-6]$/.test(elements[node]?.name ?? '');
  const cardsBefore = new Uint32Array(elements.length + 1);
  for (let node = 0; node < elements.length; node += 1)
    cardsBefore[node + 1] = (cardsBefore[node] ?? 0) + (card[node] ?? 0);
  const cards = (from: number, to: number): number => (cardsBefore[to] ?? 0) - (cardsBefore[from] ?? 0);
  // "Available now" above cards is the title of their list.
  const leadsCards = (node: number): boolean => {
    const parent = parents[node] ?? -1;
    return isTag(node) && parent >= 0 && holdsHeading[parent] === 0 && cards(node, endOf(parent)) > 1;
  };
  const leads: Array<{ node: number; text: string }> = [
    ...reader.headings.filter(({ painted, level, text }) => painted && level > 1 && text.length < 200),
    // A sentence is not a title: "Returns go to the partner."
    ...lines.filter(({ text, isLink }) => text.length < 50 && !isLink && !text.endsWith('.')),
  ];
  return leads.flatMap(({ node, text }): TitledPart[] => {
    const folded = foldText(text);
    const isLead = OTHER_HEADING.test(folded)
      ? isTag(node) || readStockLine(folded) === null
      : leadsCards(node);
    if (node === heading?.node || holdsHeading[node] === 1 || !isLead) return [];
    const isAbout = ABOUT_PRODUCT.test(folded);
    // Without a button above, the buy box may follow: then a title with a text applies only to that text.
    const isAbove = heading !== null && node > heading.node && counts.offers(heading.node, node) === 0;
    if (isAbove && !isTag(node) && BADGE.test(folded)) return [];
    const hasText = (part: number, end: number): boolean =>
      isAbove && counts.text(part, end) - text.length >= SHORTEST_TEXT && (isAbout || cards(part, end) === 0);
    const mayHold = (parent: number, part: number): boolean => {
      if (!isAbout && cards(parent, endOf(parent)) > 0) return true;
      if (hasText(part, endOf(part))) return false;
      return !isAbove || !isAbout || counts.offers(parent, endOf(parent)) === 0;
    };
    let region = node;
    for (let up = 0; up < 3; up += 1) {
      const parent = parents[region] ?? -1;
      if (parent < 0 || holdsHeading[parent] === 1) break;
      // Content above the title does not belong to it.
      if (counts.selling(parent, node) > 0 || !mayHold(parent, region)) break;
      region = parent;
      if (counts.selling(region, endOf(region)) > 0) break;
    }
    const parent = parents[region] ?? -1;
    if (isTag(node) && region === node && parent >= 0) {
      const isPriced = heading !== null && counts.selling(heading.node, node) > 0;
      const sells = isPriced ? counts.offers : counts.selling;
      const next = isAbove ? firstPart(reader, { sells, node, parent }) : endOf(parent);
      return [{ from: node, to: (isAbout || hasText(node, next) ? next : endOf(parent)) - 1, isAbout }];
    }
    // A plain line, such as "Customers also bought", begins a list of others below what is sold.
    const isList =
      heading !== null &&
      counts.selling(heading.node, node) > 0 &&
      !isAbout &&
      !hasText(region, endOf(region)) &&
      counts.selling(region, endOf(region)) === 0;
    const to = (isList && !isTag(node) && parent >= 0 ? endOf(parent) : endOf(region)) - 1;
    return [{ from: region, to, isAbout }];
  });
}

/** Of the parts behind a title, for a time that is linear in the page's size. */
const MAX_PARTS = 50;

/** The first part of an element, behind a title in it, that sells; or what follows the element. */
function firstPart(
  { ends }: ProductReader,
  { sells, node, parent }: { sells: Counts['selling']; node: number; parent: number },
): number {
  const last = ends[parent] ?? parent;
  let part = (ends[node] ?? node) + 1;
  for (let count = 0; part <= last && count < MAX_PARTS; count += 1) {
    const next = (ends[part] ?? part) + 1;
    if (sells(part, next) > 0) return part;
    part = next;
  }
  return last + 1;
}
