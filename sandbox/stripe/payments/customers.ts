import type Stripe from 'stripe';
import { byCreated, byValue, listRoute } from '../rest/list';
import { route, type Route } from '../rest/rest';
import { invalidRequest, notInSandbox } from '../rest/stripe-error';
import { mergeMetadata, type Store } from '../store';

type Write = Stripe.CustomerCreateParams | Stripe.CustomerUpdateParams;

const BALANCE = 'balance';
const WRITABLE = ['description', 'email', 'metadata', 'name', 'phone'];
const DEFAULT_METHOD = 'invoice_settings.default_payment_method';

/** Called before a customer is deleted; billing cancels the customer's subscriptions. */
export type CustomerDeletionListener = (customer: Stripe.Customer) => void;

/** The routes below `/v1/customers`. */
export function customerRoutes(beforeDeletion: readonly CustomerDeletionListener[]): Route[] {
  return [
    route<Stripe.CustomerCreateParams>({
      method: 'POST',
      path: '/v1/customers',
      implemented: WRITABLE,
      run({ store, params }) {
        const customer = createCustomer(store, params);
        store.emit('customer.created', customer);
        return customer;
      },
    }),
    listRoute('customer', '/v1/customers', { email: byValue('email'), created: byCreated }),
    route<Stripe.CustomerSearchParams>({
      method: 'GET',
      path: '/v1/customers/search',
      implemented: ['query'],
      run: ({ store, params, url }) => ({
        object: 'search_result',
        data: searchCustomers(store, params.query),
        has_more: false,
        next_page: null,
        url,
      }),
    }),
    route({
      method: 'GET',
      path: '/v1/customers/:id',
      run: ({ store, id }) => store.findRemoved('customer', id) ?? store.require('customer', id),
    }),
    route<Stripe.CustomerUpdateParams>({
      method: 'POST',
      path: '/v1/customers/:id',
      implemented: [...WRITABLE, BALANCE, DEFAULT_METHOD],
      run({ store, id, params }) {
        const customer = store.require('customer', id);
        const method = params.invoice_settings?.default_payment_method;
        const changes: Partial<Stripe.Customer> = fieldsOf(params, customer);
        if (params.balance !== undefined) changes.balance = params.balance;
        if (method !== undefined) {
          if (method) requireAttached(store, customer, method);
          changes.invoice_settings = { ...customer.invoice_settings, default_payment_method: method || null };
        }
        store.update(customer, changes, 'customer.updated');
        return customer;
      },
    }),
    route({
      method: 'DELETE',
      path: '/v1/customers/:id',
      run({ store, id }) {
        const customer = store.require('customer', id);
        for (const listener of beforeDeletion) listener(customer);
        for (const method of store.list('payment_method', ({ customer: owner }) => owner === customer.id))
          method.customer = null;
        const tombstone = store.remove('customer', customer.id);
        store.emit('customer.deleted', customer);
        return tombstone;
      },
    }),
  ];
}

/** Later writes are not found yet (docs.stripe.com/search, "Data freshness"). */
const SEARCHABLE_AFTER_S = 60;

/** The customers that fit a query of clauses `metadata['key']:'value'`, joined by AND. */
function searchCustomers(store: Store, query: string): Stripe.Customer[] {
  const clauses = query.split(' AND ').map((clause) => {
    const [, key, value] = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(clause.trim()) ?? [];
    if (key === undefined || value === undefined) throw notInSandbox(`the search clause ${clause}`, 'query');
    return { key, value };
  });
  return store.list(
    'customer',
    ({ created, metadata }) =>
      created <= store.now() - SEARCHABLE_AFTER_S &&
      clauses.every(({ key, value }) => metadata[key] === value),
  );
}

function createCustomer(store: Store, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const customer = {
    id: store.newId('customer'),
    object: 'customer',
    address: null,
    balance: 0,
    created: store.now(),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: null,
    invoice_prefix: store.newToken('').slice(1, 9).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: {},
    name: null,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  } satisfies Omit<Stripe.Customer, 'lastResponse'> as Stripe.Customer;
  Object.assign(customer, fieldsOf(params, customer));
  return store.insert('customer', customer);
}

function fieldsOf(params: Write, before: Stripe.Customer): Partial<Stripe.Customer> {
  const fields: Partial<Stripe.Customer> = {};
  for (const name of ['description', 'email', 'name', 'phone'] as const)
    if (params[name] !== undefined) fields[name] = params[name] || null;
  if (fields.email && !/^\S+@\S+\.\S+$/.test(fields.email))
    throw invalidRequest(`Invalid email address: ${fields.email}`, 'email_invalid', 'email');
  if (params.metadata !== undefined) fields.metadata = mergeMetadata(before.metadata, params.metadata);
  return fields;
}

/** @throws StripeError when the payment method is unknown or not attached to the customer */
export function requireAttached(store: Store, customer: Stripe.Customer, id: string): Stripe.PaymentMethod {
  const method = store.require('payment_method', id, 'payment_method');
  if (method.customer !== customer.id)
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      'resource_missing',
      'payment_method',
    );
  return method;
}
