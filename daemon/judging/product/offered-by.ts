import { organisationOf, parseAddress } from '../../waiting-room/fetch/web-address';
import { foldText } from '../../waiting-room/parse/normalise-text';
import { isOwn } from './page-identity';
import type { ProductBox } from './page/product-box';
import { MEMBER_PATH, SELLER_PATH } from './page/other-products';
import { type Context, WEIGHTS, add } from './product-context';
import type { Seen, SeenLines } from './read-signs';
import { isBuyable, weighStock } from './stock-ruling';
import { textOf } from './page/product-reader';
import type { StructuredOffer } from './structured/structured-data';
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
  const own = structured.products
    .filter((product) => isOwn(context, product))
    .flatMap(({ offers }) => offers);
  const shop: Shop = {
    host: parseAddress(answer.finalUrl)?.hostname ?? '',
    names: [reader.meta.get('og:site_name') ?? '', ...structured.siteNames, lastPart(reader.title)],
  };
  const shown = findSeller(box) ?? linkedSeller(context);
  const seller = shown ?? sellerInMarkup(context, own, shop);
  const isOther = seller !== null && (shown === null || !isShopItself(seller, shop));
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
/** "Our own team": the shop, unless it continues as "our partner". */
const OWN_PEOPLE =
  /^(?:our|unser\w{0,2}|notre|nos|nuestr[oa]s?|nostr[oa]|onze|ons|nasz\w{0,3}) (?!(?:\w{1,20} ){0,2}(?:partn|seller|vendor|retailer|merchant|handler|anbieter|verkaufer|vendeur|verkoper|vendedor|venditor|socio|sprzedawc))/;
/** "Sold by weight", "sold by the metre". */
const SOLD_BY_MEASURE = /^(?:weight|length|volume|quantity|the [a-z])/;
const SELLER_LABEL =
  /^(?:sold(?: (?:and|&) \w+)? by|sprzedaje(?: i wysyła)?|seller|marketplace seller|partner|verkäufer|verkauf durch|vendeur|vendu par|verkocht door|verkoper|vendedor|vendido por|venditore|venduto da|sprzedawca|säljare|sælger|selger|販売元|販売者)[:：\s]*$/i;
const LABELLED =
  /^(?:sprzedaje i wysyła:? |(?:seller|sprzedaje|marketplace seller|verkäufer|vendeur|verkoper|vendedor|venditore|sprzedawca|säljare|sælger|selger|販売元|販売者)[:：])\s*(.{2,60})$/i;

/** The seller of the leading offer, as named in the box, or null. */
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

/** Links by which a marketplace looks for sellers. */
const FOR_SELLERS =
  /^(?:sell on |become a (?:seller|marketplace partner)|seller (?:log ?in|hub|centre|center|portal)|verkaufen auf |(?:jetzt )?(?:verkaufer|handler) werden|vendre sur |devenir vendeur|vende(?:r)? (?:en|na|no) |vendi su |diventa venditore|verkopen (?:via|op) |verkoper worden|sprzedawaj na |zostan sprzedawca|salj pa |bliv saelger)/;
/** Lines in which a company gives its legal name. */
const LEGAL_LINE =
  /©|\(c\)|copyright|compan(?:y|ies)|registered|(?:^|[^a-z])(?:ltd|limited|plc|gmbh|vat)(?:$|[^a-z])/;

/**
 * The other seller whom the markup names for the offer that a visitor can buy, or null. A name alone is not enough: shops
 * write their legal name there, or the brand. It counts where the page shows that the shop sells for others: the markup has
 * an offer of the shop itself, several sellers or the address of a profile, or the page looks for sellers.
 */
function sellerInMarkup(
  { reader, box }: Context,
  offers: readonly StructuredOffer[],
  shop: Shop,
): string | null {
  const others = new Set<string>();
  for (const { seller } of offers) if (seller !== null && !isShopItself(seller, shop)) others.add(seller);
  if (others.size === 0) return null;
  const isOf = ({ seller }: StructuredOffer): boolean => seller !== null && others.has(seller);
  const buyable = offers.filter(
    ({ wording }) => isBuyable(wording?.says ?? null) || wording?.says === 'preorder',
  );
  const leading = buyable.find(isOf);
  if (leading === undefined || !buyable.every(isOf)) return null;
  const isMarket =
    others.size > 1 ||
    offers.some(({ seller }) => seller !== null && !others.has(seller)) ||
    SELLER_PATH.test(leading.sellerUrl ?? '') ||
    reader.actions.some(
      ({ label, isLink }) => isLink && label.length < 60 && FOR_SELLERS.test(foldText(label)),
    );
  if (!isMarket) return null;
  const names = [...others].map(plainName);
  const isLegalName = reader.lines.some((line) => {
    if (box.holds(line.node)) return false;
    const text = textOf(line).slice(0, 400);
    return LEGAL_LINE.test(foldText(text)) && names.some((name) => plainName(text).includes(name));
  });
  return isLegalName ? null : leading.seller;
}

/** By what a shop is known. */
interface Shop {
  host: string;
  names: readonly string[];
}

/** A name in letters and digits, without the ends of addresses and the forms of companies. */
function plainName(text: string): string {
  return foldText(text)
    .replace(/\.(?:example|com|co\.uk|uk|de|fr|net|org|eu|shop|store)(?![a-z])/g, '')
    .replace(/(?:^|[^a-z])(?:ltd|limited|plc|inc|gmbh|llc|uk|eu|sarl|s\.a\.r\.l|the|www)(?![a-z])/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Whether a seller is the shop: its host or one of its names. */
function isShopItself(seller: string, { host, names }: Shop): boolean {
  const [one, organisation] = [plainName(seller), plainName(organisationOf(host))];
  if (one === '' || /^(?:us|uns|nous|ourselves|shop|store)$/.test(one)) return true;
  if (
    organisation !== '' &&
    (one === organisation ||
      (Math.min(one.length, organisation.length) >= 4 &&
        (one.startsWith(organisation) || organisation.startsWith(one))))
  )
    return true;
  return names.some((name) => plainName(name).length > 2 && plainName(name) === one);
}
