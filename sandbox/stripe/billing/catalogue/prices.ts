import type Stripe from 'stripe';
import { byCreated, byId, byValue, listMatching } from '../../rest/list';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest, notInSandbox, parameterMissing } from '../../rest/stripe-error';
import { idOf, mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';
import { createProduct } from './products';

const MAX_LOOKUP_KEYS = 10;

/** A price that renews, with its whole number of minor units. */
export interface RecurringPrice {
  price: Stripe.Price;
  recurring: Stripe.Price.Recurring;
  unitAmount: number;
}

/**
 * The active recurring price that a request names.
 * @throws StripeError for an unknown, inactive or one-time price
 */
export function requireRecurringPrice(store: BillingStore, id: string, param: string): RecurringPrice {
  const price = store.require('price', id, param);
  if (!price.active)
    throw invalidRequest(
      'The price specified is inactive. This field only accepts active prices.',
      undefined,
      param,
    );
  if (!price.recurring)
    throw invalidRequest(
      `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
      undefined,
      param,
    );
  return { price, recurring: price.recurring, unitAmount: unitAmountOf(price) };
}

/** The price of one unit in minor units. */
export function unitAmountOf(price: Stripe.Price): number {
  if (price.unit_amount === null) throw new Error(`price ${price.id} has no unit amount`);
  return price.unit_amount;
}

/** The name that invoices show for a price. */
export function productNameOf(store: BillingStore, price: Stripe.Price): string {
  return store.require('product', idOf(price.product)!).name;
}

/** Assigns a lookup key to a price; a key belongs to one price at a time. */
function claimLookupKey(
  store: BillingStore,
  key: string | undefined,
  isTransferred: boolean,
  own?: Stripe.Price,
): void {
  if (key === undefined || key === '') return;
  const [owner] = store.list('price', (price) => price.lookup_key === key && price !== own);
  if (!owner) return;
  if (!isTransferred)
    throw invalidRequest(
      `A price (\`${owner.id}\`) already uses that lookup key.`,
      'resource_already_exists',
      'lookup_key',
    );
  store.update(owner, { lookup_key: null }, 'price.updated');
}

function readRecurring(given: Stripe.PriceCreateParams.Recurring): Stripe.Price.Recurring {
  const count = given.interval_count ?? 1;
  // Stripe API, "Create a price", recurring.interval_count: three years at most.
  const most = { day: 1095, week: 156, month: 36, year: 3 }[given.interval as string] ?? 0;
  if (count < 1 || count > most)
    throw invalidRequest(
      `Invalid recurring[interval_count]: must be between 1 and ${most} for interval ${given.interval}`,
      'parameter_invalid_integer',
      'recurring[interval_count]',
    );
  return {
    interval: given.interval,
    interval_count: count,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}

function createPrice(store: BillingStore, params: Stripe.PriceCreateParams): Stripe.Price {
  const amount = params.unit_amount;
  if (amount === undefined) throw parameterMissing('unit_amount');
  if (amount < 0)
    throw invalidRequest('Invalid non-negative integer', 'parameter_invalid_integer', 'unit_amount');
  if ((params.product === undefined) === (params.product_data === undefined))
    throw params.product === undefined
      ? parameterMissing('product')
      : invalidRequest(
          'You may only specify one of these parameters: product, product_data.',
          'parameters_exclusive',
        );
  const recurring = params.recurring ? readRecurring(params.recurring) : null;
  const product =
    params.product_data === undefined
      ? store.require('product', params.product!, 'product')
      : createProduct(store, params.product_data);
  claimLookupKey(store, params.lookup_key, params.transfer_lookup_key ?? false);
  const price: Stripe.Price = {
    id: store.newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: store.now(),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key || null,
    metadata: mergeMetadata(null, params.metadata),
    nickname: params.nickname ?? null,
    product: product.id,
    recurring,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount: amount,
    // The SDK turns the text into its decimal type.
    unit_amount_decimal: String(amount) as unknown as Stripe.Price['unit_amount_decimal'],
  };
  store.insert('price', price);
  store.emit('price.created', price);
  return price;
}

const SHARED_FIELDS = ['active', 'lookup_key', 'metadata', 'nickname', 'transfer_lookup_key'];

const PRICE_FILTERS = {
  active: byValue('active'),
  created: byCreated,
  currency: byValue('currency'),
  lookup_keys: ({ lookup_key: key }: Stripe.Price, keys: string[]) => keys.includes(key ?? ''),
  product: byId('product'),
  type: byValue('type'),
  'recurring.interval': ({ recurring }: Stripe.Price, interval: string) => recurring?.interval === interval,
};

/** The routes of price objects. */
export const priceRoutes = (store: BillingStore): Route[] => [
  route<Stripe.PriceCreateParams>({
    method: 'POST',
    path: '/v1/prices',
    implemented: [
      ...SHARED_FIELDS,
      'currency',
      'product',
      'product_data.id',
      'product_data.name',
      'product_data.metadata',
      'product_data.active',
      'recurring.interval',
      'recurring.interval_count',
      'tax_behavior',
      'unit_amount',
    ],
    run: ({ params }) => createPrice(store, params),
  }),
  retrieveRoute('price', '/v1/prices'),
  route<Stripe.PriceUpdateParams>({
    method: 'POST',
    path: '/v1/prices/:id',
    implemented: SHARED_FIELDS,
    run({ id, params }) {
      const price = store.require('price', id);
      const { active, lookup_key, metadata, nickname } = params;
      claimLookupKey(store, lookup_key, params.transfer_lookup_key ?? false, price);
      store.update(
        price,
        {
          ...(active !== undefined && { active }),
          ...(lookup_key !== undefined && { lookup_key: lookup_key || null }),
          ...(metadata !== undefined && { metadata: mergeMetadata(price.metadata, metadata) }),
          ...(nickname !== undefined && { nickname }),
        },
        'price.updated',
      );
      return price;
    },
  }),
  route<Stripe.PriceListParams>({
    method: 'GET',
    path: '/v1/prices',
    implemented: Object.keys(PRICE_FILTERS),
    run(call) {
      if ((call.params.lookup_keys?.length ?? 0) > MAX_LOOKUP_KEYS)
        throw notInSandbox(`a list by more than ${MAX_LOOKUP_KEYS} lookup keys`, 'lookup_keys');
      return listMatching(call, 'price', PRICE_FILTERS);
    },
  }),
];
