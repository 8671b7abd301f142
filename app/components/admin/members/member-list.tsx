import type { ListedMember } from '#shared/accounts/find-members';
import { LongDate } from '~/components/time/dates';
import { Badge } from '~/components/ui/badge';
import { Link } from '~/components/ui/button';
import { memberAddress } from '../member-addresses';

/** Members with links to their pages. */
export function MemberList({ members }: { members: readonly ListedMember[] }) {
  return (
    <ul className="divide-y divide-line rounded-card border border-line bg-surface shadow-card">
      {members.map((member) => (
        <li key={member.id} className="grid gap-1 px-5 py-3.5">
          <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <Link to={memberAddress(member.id)} prefetch="intent" className="font-semibold wrap-anywhere">
              {member.username}
            </Link>
            {member.tier === 'pro' ? <Badge variant="pro">Pro</Badge> : null}
            {member.isAdmin ? <Badge>Admin</Badge> : null}
            {member.isConfirmed ? null : <Badge variant="warning">Address not confirmed</Badge>}
            {member.isDisabled ? <Badge variant="error">Disabled</Badge> : null}
          </p>
          <p className="text-small text-soft wrap-anywhere">
            {member.email}
            {member.discordUsername === null ? null : `, ${member.discordUsername} on Discord`}, since{' '}
            <LongDate iso={member.createdAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}
