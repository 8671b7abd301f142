import type { Alert } from '../../../alerts/alert-changes';
import type { AlertedOffer } from '../../../alerts/alerted-offer';
import type { Money } from '../../../money';
import { fromIso } from '../../../clock';
import { prepareQuery } from '../../../database/prepare-query';
import type { Transaction } from '../../../database/schema';
import { readShopTrust, type ShopTrust } from '../../products/canary';
import { discontinuedAfter } from '../../products/discontinued';
import { distrustReason } from '../../products/source-trust';
import type { Watch } from '../../watches/watches';
import { unknownProduct } from '../unknown-product';
import { judgementSchema, type Judgement, type ProductJudgement } from '../verdict';
import {
  decideRestock,
  isBuyable,
  type BeforeRestock,
  type RestockDecision,
  type SeenOffer,
} from './decide-restock';
import type { BeforeCheck } from './decide-transition';

/** A price that differs by more than this share of the last one, or in currency, must be seen twice. */
const DOUBTED_CHANGE = 0.6;
/** The decision of a check whose verdict is held back. */
const HELD_BACK = { availability: 'unknown', strength: null } as const;
/** The decision of a check that saw that the shop no longer sells it. */
const DISCONTINUED = { availability: 'out_of_stock', strength: 'strong' } as const;
/** More variants would not fit into a message. */
const MAX_LISTED_VARIANTS = 25;

/** The result of a check for an offer. */
export interface OfferDecision {
  product: ProductJudgement;
  /** The effect of the shop's canary on the check. */
  trust: ShopTrust;
  /** Why the verdict decides nothing, as a sentence; null when it counts. */
  held: string | null;
  /** Since when the shop has not sold it, as of this check; null: it sells it. */
  discontinuedAt: string | null;
  /** Whether this check saw that, so that it counts as out of stock. */
  isDiscontinued: boolean;
  decision: RestockDecision;
  /** The data that the alert shows. */
  offer: AlertedOffer;
  /** Whether the remaining stock in the messages of an open alert changes. */
  isEdited: boolean;
  /** The detail and the price that the watch keeps. */
  detail: Watch['last_detail'];
  price: Money | null;
}

/** The product's state in a check. Unknown when its page was not judged as a product page. */
export function productOf({ product, reason, unknownReason }: Judgement): ProductJudgement {
  return product ?? unknownProduct(unknownReason ?? 'error', reason);
}

const selectLastCheck = prepareQuery((db, { id }: { id: string }) =>
  db
    .selectFrom('monitor_checks')
    .select(['availability', 'strength', 'price_amount', 'price_currency', 'content_analysis'])
    .where('id', '=', id),
);

/** Whether a stored check saw that the shop no longer sells the product. */
function saysDiscontinued(analysis: string): boolean {
  const judged = judgementSchema.safeParse(JSON.parse(analysis)).data;
  return judged?.product?.unknownReason === 'discontinued';
}

const lastPriceOf = (watch: Watch): Money | null =>
  watch.last_price_amount === null || watch.last_price_currency === null
    ? null
    : { amount: watch.last_price_amount, currency: watch.last_price_currency };

function isDoubted(seen: Money | null, last: Money | null): seen is Money {
  if (seen === null || last === null) return false;
  return (
    seen.currency !== last.currency || Math.abs(seen.amount - last.amount) > DOUBTED_CHANGE * last.amount
  );
}

/** The variants that an alert lists: the one that the watch names, else those that are in the announced state. */
function listedVariants(
  watch: Watch,
  { variants, watchedVariant, availability }: ProductJudgement,
): AlertedOffer['variants'] {
  const isNamed = watchedVariant !== null;
  if ((!isNamed && watch.variant_key !== null) || variants.length < 2) return [];
  return variants
    .filter((variant) => {
      if (isNamed) return variant.key === watchedVariant;
      return isBuyable(availability)
        ? isBuyable(variant.availability)
        : variant.availability === availability;
    })
    .slice(0, MAX_LISTED_VARIANTS)
    .map(({ key, name }) => ({ key, name }));
}

/** Decides what a check of a product watch does. `now`: epoch ms. Reads the last check where a second sign is needed. */
export async function decideOffer(
  trx: Transaction,
  {
    watch,
    newest,
    before,
    judgement,
    now,
  }: { watch: Watch; newest: Alert | null; before: BeforeCheck; judgement: Judgement; now: number },
): Promise<OfferDecision> {
  const product = productOf(judgement);
  const trust = await readShopTrust(trx, watch);
  const lastPrice = lastPriceOf(watch);
  const doubted = isDoubted(product.price, lastPrice);
  const isGone = product.unknownReason === 'discontinued';
  const [last] =
    watch.last_check_id !== null && (watch.weak_since !== null || doubted || isGone)
      ? await selectLastCheck(trx, { id: watch.last_check_id })
      : [];
  const isSeenAgain =
    doubted &&
    last?.price_amount === product.price?.amount &&
    last?.price_currency === product.price?.currency;
  const price = doubted && !isSeenAgain ? lastPrice : (product.price ?? lastPrice);

  const discontinuedAt = discontinuedAfter(watch, product, {
    wasSeen: isGone && last !== undefined && saysDiscontinued(last.content_analysis),
    now,
  });
  const isDiscontinued = isGone && discontinuedAt !== null;
  const counted: SeenOffer = isDiscontinued ? DISCONTINUED : product;
  const state: BeforeRestock = {
    ...before,
    // The previous check saw this too.
    opensInRow: isDiscontinued ? before.opensInRow + 1 : before.opensInRow,
    // The stock of a canary opens no alert.
    availability: trust.isCanary ? null : watch.last_availability,
    weakAvailability: last?.strength === 'weak' ? last.availability : null,
    kind: newest === null || newest.kind === 'waiting_room' ? null : newest.kind,
    trickling: newest?.trickling === 1,
    reopenedForMs: reopeningsOf(newest).map((at) => now - fromIso(at)),
    unseenForMs: newest === null ? null : now - fromIso(newest.last_seen_at),
  };
  const seen = decideRestock(state, counted);
  const isNews = seen.action === 'open' || seen.action === 'reopen' || seen.action === 'recheck';
  const held = trust.held ?? (isNews ? distrustReason(product, trust.distrusted) : null);
  const decision = held === null ? seen : decideRestock(state, HELD_BACK);
  return {
    product,
    trust,
    held,
    discontinuedAt,
    isDiscontinued,
    decision,
    offer: { price, variants: listedVariants(watch, product) },
    isEdited:
      isBuyable(watch.last_availability) &&
      isBuyable(product.availability) &&
      watch.last_availability !== product.availability,
    detail: isDiscontinued
      ? null
      : held === null && product.availability === decision.availability
        ? product.detail
        : watch.last_detail,
    price: held === null ? price : lastPrice,
  };
}

/** When an alert was reopened lately (ISO). */
export function reopeningsOf(alert: Pick<Alert, 'reopened_at'> | null): string[] {
  return alert === null || alert.reopened_at === null ? [] : (JSON.parse(alert.reopened_at) as string[]);
}
