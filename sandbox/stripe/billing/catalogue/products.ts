import type Stripe from 'stripe';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest, parameterMissing } from '../../rest/stripe-error';
import { mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';

type ProductFields = Pick<
  Stripe.ProductCreateParams,
  'active' | 'description' | 'id' | 'metadata' | 'name' | 'statement_descriptor' | 'unit_label' | 'url'
>;

/** Creates a product. Throws `StripeError` for an empty name or an id that is taken. */
export function createProduct(store: BillingStore, params: ProductFields): Stripe.Product {
  if (params.name === '') throw parameterMissing('name');
  if (params.id !== undefined && store.find('product', params.id))
    throw invalidRequest('Product already exists.', 'resource_already_exists', 'id');
  const now = store.now();
  const product: Stripe.Product = {
    id: params.id ?? store.newId('product'),
    object: 'product',
    active: params.active ?? true,
    created: now,
    default_price: null,
    description: params.description ?? null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: mergeMetadata(null, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: params.unit_label ?? null,
    updated: now,
    url: params.url ?? null,
  };
  store.insert('product', product);
  store.emit('product.created', product);
  return product;
}

/** The routes of product objects. */
export const productRoutes = (store: BillingStore): Route[] => [
  route<Stripe.ProductCreateParams>({
    method: 'POST',
    path: '/v1/products',
    implemented: [
      'id',
      'name',
      'description',
      'metadata',
      'active',
      'unit_label',
      'statement_descriptor',
      'url',
    ],
    run: ({ params }) => createProduct(store, params),
  }),
  retrieveRoute('product', '/v1/products'),
];
