import { useSignInPath } from '~/components/account/use-sign-in-path';
import { type SignedIn, useSiteFacts } from '~/components/site/site-facts';
import { ButtonLink } from '~/components/ui/button';
import { ACCESS_CALLS, type AccessCall } from './landing-content';

/** Returns the call to action for a user; null: signed out. */
export function accessCallOf(signedIn: SignedIn | null): AccessCall {
  if (signedIn === null) return ACCESS_CALLS.visitor;
  return signedIn.admin ? ACCESS_CALLS.admin : ACCESS_CALLS[signedIn.beta];
}

/** The call-to-action button. */
export function RequestAccess({ variant }: { variant: 'foil' | 'primary' }) {
  const { signedIn } = useSiteFacts();
  const signInPath = useSignInPath();
  const { name, href } = accessCallOf(signedIn);
  return (
    <ButtonLink href={signedIn === null ? signInPath(href) : href} variant={variant}>
      {name}
    </ButtonLink>
  );
}
