import { organisationOf, parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { isOwn } from './page-identity';
import type { ProductBox } from './product-box';
import { type Context, WEIGHTS, add } from './product-context';
import type { Seen, SeenLines } from './read-signs';
import { isBuyable, weighStock } from './stock-ruling';
import { type KnownVariant, type Watched, bestVariant } from './variants';

interface Offered {
  /** Why what is offered does not count: another seller offers it, or it is used. */
  detail: 'marketplace_only' | 'used_only' | null;
  noPrice: boolean;
  seller: string | null;
}

/** Applies variants, sellers and conditions to the signs. */
export function offerOf(
  context: Context,
  {
    variants,
    watched,
    lines,
    actions,
  }: { variants: KnownVariant[]; watched: Watched; lines: SeenLines; actions: Seen },
): Offered {
  const { signs, box, reader, structured, answer } = context;
  if (watched.variant !== null) {
    // Only the watched variant counts; what the page shows is about it when the page shows it.
    for (const sign of signs) {
      const isShown = watched.isShown && (sign.source === 'button' || sign.source === 'stock_line');
      const isOfVariant = sign.subject === 'variant';
      if (!isShown && !isOfVariant) Object.assign(sign, { weight: 0 });
    }
    const { wording, evidence, source } = watched.variant;
    if (wording !== null) {
      // The button may be the one of the variant that is shown first: the refusal of the watched one counts as much.
      const isRefused = wording.says === 'out_of_stock' && source === 'page_data';
      const weight = isRefused ? WEIGHTS.button : WEIGHTS[source];
      add(context, source, { ...wording, subject: 'variant', evidence, weight });
    }
  } else if (watched.key === null && variants.length > 1) {
    const best = bestVariant(variants);
    if (best !== null && best.wording !== null) {
      const isOut = best.availability === 'out_of_stock';
      const weight =
        best.source === 'page_data' || best.source === 'stock_line' ? WEIGHTS.button : WEIGHTS[best.source];
      // The button and the line are about the variant that is shown first.
      if (
        !isOut &&
        weight === WEIGHTS.button &&
        !(best.source === 'page_data' && isShownBuyable(context, variants))
      )
        for (const sign of signs)
          if ((sign.source === 'button' || sign.source === 'stock_line') && sign.says === 'out_of_stock')
            Object.assign(sign, { subject: 'variant', weight: 0 });
      add(context, best.source, { ...best.wording, evidence: best.evidence, weight });
    }
  }
  const seller = findSeller(box) ?? linkedSeller(context);
  const isOther =
    seller !== null &&
    !isShopItself(seller, {
      host: parseAddress(answer.finalUrl)?.hostname ?? '',
      names: [reader.meta.get('og:site_name') ?? '', ...structured.siteNames, lastPart(reader.title)],
    });
  const ruling = weighStock(signs);
  const isOffered = isBuyable(ruling.says) || ruling.says === 'preorder';
  const sells = signs.some(
    ({ source, says, weight }) =>
      source === 'button' && says !== 'nothing' && says !== 'out_of_stock' && weight > 0,
  );
  if ((isOther || lines.onlyOtherSellers) && (isOffered || sells))
    return { detail: 'marketplace_only', noPrice: true, seller };
  if (
    lines.otherSellers &&
    (!actions.fresh || (ruling.says === 'out_of_stock' && ruling.contradiction !== null))
  )
    return { detail: 'marketplace_only', noPrice: true, seller };
  const own = structured.products
    .filter((product) => isOwn(context, product))
    .flatMap(({ offers }) => offers);
  const allUsed = own.length > 0 && own.every(({ used }) => used);
  const isSoldUsed = own.some(({ wording }) => isBuyable(wording?.says ?? null));
  const isUsed = allUsed ? isOffered || isSoldUsed : actions.used && !actions.fresh && (!isOffered || !sells);
  if (isUsed) return { detail: 'used_only', noPrice: true, seller };
  return { detail: null, noPrice: false, seller: isOther ? null : seller };
}

/** Whether the variant that the page shows first can be bought by the data: then a refusal that is shown contradicts it. */
function isShownBuyable({ reader, box }: Context, variants: readonly KnownVariant[]): boolean {
  const chosen = reader.choices
    .filter(({ node }) => box.holds(node))
    .flatMap(({ options }) => options.find(({ selected }) => selected) ?? options[0] ?? [])
    .flatMap(({ value, text }) => [foldText(value), foldText(text)]);
  const shown =
    variants.find(({ keys }) => keys.some((key) => chosen.includes(foldText(key)))) ??
    (chosen.length === 0 ? variants[0] : undefined);
  return shown?.availability === 'in_stock' || shown?.availability === 'limited';
}

function lastPart(title: string): string {
  return title.split(/ (?:[|·•»–—:]|-) /).at(-1) ?? '';
}

const SOLD_BY =
  /^(?:(?:marketplace|partner) item[,:] )?(?:(?:this|the) (?:item|product) is |dit (?:artikel|product) wordt |dieser artikel wird |cet article est |este (?:producto|artículo) (?:es |está )?|questo (?:articolo|prodotto) è )?(?:dispatche?[sd] from and |ships from and |despatched and |delivered and |dispatched and |shipped and |fulfilled and )?(?:sold(?: (?:and|&) (?:dispatched|despatched|delivered|shipped|fulfilled|sent))?|(?:fulfilled|dispatched|despatched|shipped|sent)(?= by (?:an? |one of our )?(?:third|marketplace|external|independent))|offered|supplied|vendu|vente|verkauft?|verkocht|verkoop|vendido|venta|venduto|vendita|säljs|sælges|selges|sprzedaje|sprzedaż)(?: et expédié| und versand| en verzonden| y enviado| e (?:spedito|entregue|enviado)| o(?:ch|g) (?:skickas|levereras|sendes|leveres))? (?:by|par|durch|von|door|por|da|a[vf]|przez)[:\s]+(.{2,60}?)(?: (?:and|&) (?:dispatched|delivered|shipped|fulfilled|sent).*| \(.*|\.? (?:Fulfilled|Delivered|Dispatched|Returns).*|(?<=\p{L}{3})\. .{1,200})?\.?$/iu;
/** "Our own team": the shop, unless it goes on as "our partner". */
const OWN_PEOPLE =
  /^(?:our|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oa]|onze|ons|nasz\w{0,3}) (?!(?:\w{1,20} ){0,2}(?:partn|seller|vendor|retailer|merchant|handler|anbieter|verkaufer|vendeur|verkoper|vendedor|venditor|socio|sprzedawc))/;
/** "Sold by weight", "sold by the metre". */
const SOLD_BY_MEASURE = /^(?:weight|length|volume|quantity|the [a-z])/;
const SELLER_LABEL =
  /^(?:sold(?: (?:and|&) \w+)? by|sprzedaje(?: i wysyła)?|seller|marketplace seller|partner|verkäufer|verkauf durch|vendeur|vendu par|verkocht door|verkoper|vendedor|vendido por|venditore|venduto da|sprzedawca|säljare|sælger|selger|販売元|販売者)[:：\s]*$/i;
const LABELLED =
  /^(?:sprzedaje i wysyła:? |(?:seller|sprzedaje|marketplace seller|verkäufer|vendeur|verkoper|vendedor|venditore|sprzedawca|säljare|sælger|selger|販売元|販売者)[:：])\s*(.{2,60})$/i;

/** Who sells the leading offer, as the box names it, or null. */
function findSeller(box: ProductBox): string | null {
  let isLabelled = false;
  for (const { text, parts } of box.lines) {
    if (isLabelled && text.length < 80) return text.trim();
    // "Dispatches from", a name, "Sold by" and a name may be four elements of one line.
    const pieces = parts.map((part) => part.text.trim()).filter((piece) => /\p{L}/u.test(piece));
    const label = pieces.length > 1 ? pieces.findIndex((piece) => SELLER_LABEL.test(piece)) : -1;
    const behind = label < 0 ? undefined : pieces[label + 1];
    if (behind !== undefined && behind.length < 80) return behind;
    const named = SOLD_BY.exec(text)?.[1] ?? LABELLED.exec(text)?.[1];
    // Without the stars behind the name, and the place behind a comma.
    if (named !== undefined && !SOLD_BY_MEASURE.test(named) && !OWN_PEOPLE.test(foldText(named)))
      return named
        .replace(/ \d[.,]\d$/, '')
        .split(',', 1)
        .join('')
        .trim();
    isLabelled = SELLER_LABEL.test(text);
  }
  return null;
}

const SELLER_PATH = /\/(?:usr|sellers?|merchants?|vendors?)\/[^/]/i;
const MEMBER_PATH = /\/(?:users?|members?|u|profiles?)\/[^/]/i;

/** The member of a marketplace whose profile the box links as the seller. */
function linkedSeller({ reader, box }: Context): string | null {
  const isRated = box.lines.some(({ folded }) => /\d ?% positive/.test(folded));
  return (
    reader.actions.find(({ node, label, isLink }) => {
      const href = reader.elements[node]?.attribs['href'] ?? '';
      if (!isLink || label.length < 2 || label.length > 60 || !box.holds(node)) return false;
      return SELLER_PATH.test(href) || (isRated && MEMBER_PATH.test(href));
    })?.label ?? null
  );
}

/** Whether a seller is the shop: its host or one of its names. */
function isShopItself(seller: string, { host, names }: { host: string; names: readonly string[] }): boolean {
  const plain = (text: string): string =>
    foldText(text)
      .replace(/\.(?:example|com|co\.uk|uk|de|fr|net|org|eu|shop|store)(?![a-z])/g, '')
      .replace(/(?:^|[^a-z])(?:ltd|limited|plc|inc|gmbh|llc|uk|eu|sarl|s\.a\.r\.l|the|www)(?![a-z])/g, ' ')
      .replace(/[^\p{L}\p{N}]+/gu, '');
  const [one, organisation] = [plain(seller), plain(organisationOf(host))];
  if (one === '' || /^(?:us|uns|nous|ourselves|shop|store)$/.test(one)) return true;
  if (
    organisation !== '' &&
    (one === organisation ||
      (Math.min(one.length, organisation.length) >= 4 &&
        (one.startsWith(organisation) || organisation.startsWith(one))))
  )
    return true;
  return names.some((name) => plain(name).length > 2 && plain(name) === one);
}
