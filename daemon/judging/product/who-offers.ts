import { parseAddress } from '../../waiting-room/fetch/web-address';
import { isOwn } from './page-identity';
import { type Context, WEIGHTS, add } from './product-context';
import { findSeller, isShopItself } from './seller';
import { type KnownVariant, type Watched, bestVariant } from './variants';
import type { Seen, SeenLines } from './visible-signs';
import { weighStock } from './weigh-stock';

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
      if (!isOut && weight === WEIGHTS.button)
        for (const sign of signs)
          if ((sign.source === 'button' || sign.source === 'stock_line') && sign.says === 'out_of_stock')
            Object.assign(sign, { subject: 'variant', weight: 0 });
      add(context, best.source, { ...best.wording, evidence: best.evidence, weight });
    }
  }
  const seller = findSeller(reader, box, structured);
  const isOther =
    seller !== null &&
    !isShopItself(seller, {
      host: parseAddress(answer.finalUrl)?.hostname ?? '',
      names: [reader.meta.get('og:site_name') ?? '', ...structured.siteNames, lastPart(reader.title)],
    });
  const ruling = weighStock(signs);
  const isOffered = ruling.says === 'in_stock' || ruling.says === 'limited' || ruling.says === 'preorder';
  if (isOther && isOffered) return { detail: 'marketplace_only', noPrice: true, seller };
  if (lines.otherSellers && !actions.fresh) return { detail: 'marketplace_only', noPrice: true, seller };
  const own = structured.products
    .filter((product) => isOwn(context, product))
    .flatMap(({ offers }) => offers);
  const allUsed = own.length > 0 && own.every(({ used }) => used);
  const sells = signs.some(
    ({ source, says, weight }) =>
      source === 'button' && says !== 'nothing' && says !== 'out_of_stock' && weight > 0,
  );
  const isUsed = allUsed ? isOffered : actions.used && !actions.fresh && (!isOffered || !sells);
  if (isUsed) return { detail: 'used_only', noPrice: true, seller };
  return { detail: null, noPrice: false, seller: isOther ? null : seller };
}

function lastPart(title: string): string {
  return title.split(/ (?:[|·•»–—:]|-) /).at(-1) ?? '';
}
