import { StripeError } from './stripe-error';

/** The resource of a permission by the beginning of a path. Prices have the older name `plan`; refunds are with charges. */
const RESOURCES: readonly (readonly [path: string, resource: string])[] = [
  ['/v1/account', 'accounts_kyc_basic'],
  ['/v1/billing_portal', 'customer_portal'],
  ['/v1/charges', 'charge'],
  ['/v1/checkout', 'checkout_session'],
  ['/v1/customers', 'customer'],
  ['/v1/disputes', 'dispute'],
  ['/v1/events', 'event'],
  ['/v1/invoice', 'invoice'],
  ['/v1/payment_intents', 'payment_intent'],
  ['/v1/payment_methods', 'payment_method'],
  ['/v1/prices', 'plan'],
  ['/v1/products', 'product'],
  ['/v1/refunds', 'charge'],
  ['/v1/subscription', 'subscription'],
];
/** An expanded object needs the permission to read it (docs.stripe.com/stripe-apps/reference/permissions). */
const EXPANDED: readonly (readonly [field: string, resource: string])[] = [
  ['latest_charge', 'charge'],
  ['latest_invoice', 'invoice'],
  ['payments', 'invoice'],
  ['refunds', 'charge'],
];

interface ExpandingRequest {
  method: string;
  path: string;
  expand: readonly string[];
}

/** A request of a restricted key. */
interface RestrictedRequest extends ExpandingRequest {
  /** Such as `rk_test_…`. */
  key: string;
  /** Such as `customer_write`, which includes `customer_read`. */
  permissions: ReadonlySet<string>;
  accountId: string;
}

/** The permissions that a request needs, such as `event_read`. */
export function permissionsFor({ method, path, expand }: ExpandingRequest): string[] {
  const resource = RESOURCES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'unknown';
  const fields = expand.flatMap((one) => one.split('.'));
  const expanded = EXPANDED.filter(([field]) => fields.includes(field)).map(([, name]) => `${name}_read`);
  return [`${resource}_${method === 'GET' ? 'read' : 'write'}`, ...expanded];
}

/**
 * Refuses what a restricted key may not do, in Stripe's words, which name the account and the missing permission.
 * @throws StripeError 403
 */
export function refuseMissingPermission(request: RestrictedRequest): void {
  const { permissions, key, accountId } = request;
  const missing = permissionsFor(request).find(
    (name) => !permissions.has(name) && !permissions.has(name.replace(/_read$/, '_write')),
  );
  if (missing === undefined) return;
  const masked = `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`;
  throw new StripeError(403, {
    type: 'invalid_request_error',
    message: `The provided key '${masked}' does not have the required permissions for this endpoint on account '${accountId}'. Having the 'rak_${missing}' permission would allow this request to continue.`,
  });
}
