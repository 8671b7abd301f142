import { useSignInPath } from '~/components/account/use-sign-in-path';
import { useSiteFacts } from '~/components/site-facts';
import { ButtonLink } from '~/components/ui/button-link';
import { accessCallOf } from './access-call';

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
