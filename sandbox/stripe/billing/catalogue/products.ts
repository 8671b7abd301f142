import type Stripe from 'stripe';
import { byCreated, byValue, listRoute } from '../../rest/list';
import { retrieveRoute, route, type Route } from '../../rest/rest';
import { invalidRequest, parameterMissing } from '../../rest/stripe-error';
import { mergeMetadata } from '../../store';
import type { BillingStore } from '../billing-store';

const FIELDS = ['name', 'description', 'metadata', 'active', 'unit_label', 'statement_descriptor', 'url'];

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
    implemented: [...FIELDS, 'id'],
    run: ({ params }) => createProduct(store, params),
  }),
  retrieveRoute('product', '/v1/products'),
  route<Stripe.ProductUpdateParams>({
    method: 'POST',
    path: '/v1/products/:id',
    implemented: FIELDS,
    run({ id, params }) {
      const product = store.require('product', id);
      const { active, name, description, metadata, unit_label, statement_descriptor, url } = params;
      store.update(
        product,
        {
          ...(active !== undefined && { active }),
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description: description || null }),
          ...(metadata !== undefined && { metadata: mergeMetadata(product.metadata, metadata) }),
          ...(unit_label !== undefined && { unit_label: unit_label || null }),
          ...(statement_descriptor !== undefined && { statement_descriptor }),
          ...(url !== undefined && { url: url || null }),
          updated: store.now(),
        },
        'product.updated',
      );
      return product;
    },
  }),
  listRoute('product', '/v1/products', {
    active: byValue('active'),
    created: byCreated,
    ids: ({ id }, ids: string[]) => ids.includes(id),
  }),
  route({
    method: 'DELETE',
    path: '/v1/products/:id',
    run({ id }) {
      const product = store.require('product', id);
      if (store.list('price', (price) => price.product === product.id).length > 0)
        throw invalidRequest(
          'This product cannot be deleted because it has one or more user-created prices.',
          undefined,
          'id',
        );
      store.remove('product', product.id);
      store.emit('product.deleted', product);
      return { id: product.id, object: 'product', deleted: true };
    },
  }),
];
