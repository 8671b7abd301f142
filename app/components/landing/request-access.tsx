import { useSignInPath } from '~/components/account/next-path';
import { type SignedIn, useSiteFacts } from '~/components/site/site-facts';
import { ButtonLink } from '~/components/ui/button';
import { ACCESS_CALLS, type AccessCall } from './landing-content';

/** What the page's buttons offer: it depends on who looks. Null: a visitor. */
export function accessCallOf(signedIn: SignedIn | null): AccessCall {
  if (signedIn === null) return ACCESS_CALLS.visitor;
  return signedIn.admin ? ACCESS_CALLS.admin : ACCESS_CALLS[signedIn.beta];
}

/** The one thing the page is for; those who are signed in do it on the dashboard. */
export function RequestAccess({ look }: { look: 'foil' | 'primary' }) {
  const { signedIn } = useSiteFacts();
  const signInPath = useSignInPath();
  const { name, href } = accessCallOf(signedIn);
  return (
    <ButtonLink href={signedIn === null ? signInPath(href) : href} look={look}>
      {name}
    </ButtonLink>
  );
}
