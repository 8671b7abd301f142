import type { Release } from '#shared/releases/release';
import { Badge } from '~/components/ui/badge';
import { releaseState } from './release-texts';

const STATE_VARIANT = { Published: 'success', Draft: 'planned', Withdrawn: 'warning' } as const;

/** The state of a release, and whether it is a beta. */
export function ReleaseBadges({
  release,
}: {
  release: Pick<Release, 'published' | 'publishedAt' | 'isBeta'>;
}) {
  const state = releaseState(release);
  return (
    <span className="flex flex-wrap gap-2">
      <Badge variant={STATE_VARIANT[state]}>{state}</Badge>
      {release.isBeta ? <Badge>Beta</Badge> : null}
    </span>
  );
}
