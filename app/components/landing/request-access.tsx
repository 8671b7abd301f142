import { useSiteFacts } from '~/components/site-facts';
import { ButtonLink } from '~/components/ui/button-link';
import { HERO } from './landing-content';

/** The one thing the page is for; whoever is signed in asks on the dashboard. */
export function RequestAccess({ look }: { look: 'foil' | 'primary' }) {
  const { signedIn } = useSiteFacts();
  return (
    <ButtonLink href={signedIn === null ? HERO.primary.visitor : HERO.primary.member} look={look}>
      {HERO.primary.name}
    </ButtonLink>
  );
}
