import type { SignedIn } from '~/components/site-facts';
import { ACCESS_CALLS, type AccessCall } from './landing-content';

/** What the page's buttons offer: it depends on who looks. Null: a visitor. */
export function accessCallOf(signedIn: SignedIn | null): AccessCall {
  if (signedIn === null) return ACCESS_CALLS.visitor;
  return signedIn.admin ? ACCESS_CALLS.admin : ACCESS_CALLS[signedIn.beta];
}
