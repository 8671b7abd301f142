import type { RoleDifference, RoleName, RolesOverview } from '#shared/role-sync/read-roles';
import { counted } from '#shared/format';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { DateAndMinute } from '~/components/time/dates';
import { Button, Link } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { Notice } from '~/components/ui/notice';
import { memberAddress } from './member-addresses';
import { Facts } from './members/facts';

const nameOf = ({ audience, watch }: RoleName): string =>
  audience !== 'watch'
    ? `the ${audience} role`
    : watch === null
      ? 'a former watch role'
      : `the role of ${watch}`;

/** The state of the bot and of its last comparison. `hasBot`: it is set in the environment. */
export function RolesState({ overview, hasBot }: { overview: RolesOverview; hasBot: boolean }) {
  const { Form, result, pendingIntent } = useForms(['compare']);
  const { settings, server, counts, watches, faults } = overview;
  const hasRole = settings.instant !== '' || settings.free !== '' || watches.length > 0;
  return (
    <Panel title="Server">
      <FormNotice result={result} />
      {!hasBot ? (
        <p className="text-soft">
          No roles are changed: DISCORD_BOT_TOKEN and DISCORD_GUILD_ID are not set on this server. Once they
          are set, the changes of the last seven days are applied and the roles are compared.
        </p>
      ) : !hasRole ? (
        <p className="text-soft">No roles are changed until you enter the id of a role.</p>
      ) : (
        <>
          {server?.fault == null ? null : <Notice kind="error">{server.fault}</Notice>}
          {faults.map(({ members, reason, ...role }) => (
            <Notice key={`${nameOf(role)} ${reason}`} kind="error">
              {`Waiting for ${nameOf(role)}: ${counted(members, 'member')}. ${reason}`}
            </Notice>
          ))}
          {server === null ? (
            <p className="text-soft">The roles have not been compared yet.</p>
          ) : (
            <>
              <p className="text-soft">
                {server.fault === null ? `Compared with ${server.name ?? 'the server'} ` : 'Last tried '}
                <DateAndMinute iso={server.comparedAt} />. The daemon compares once a day.
              </p>
              <Facts
                facts={[
                  ['In the server at that time', counted(server.knownMembers, 'member')],
                  ['With the instant role', counted(counts.held.instant, 'member')],
                  ['With the free role', counted(counts.held.free, 'member')],
                  ['Not in the server', counted(counts.absent, 'member')],
                  ['Banned there', counted(counts.banned, 'member')],
                  ['With Pro, Discord not connected', counted(counts.unlinkedPro, 'member')],
                ]}
              />
            </>
          )}
          <Form method="post" preventScrollReset>
            <Button name="intent" value="compare" pending={pendingIntent === 'compare'}>
              Compare now
            </Button>
          </Form>
        </>
      )}
    </Panel>
  );
}

/** The roles of watches with their members. */
export function WatchRoles({ overview: { watches } }: { overview: RolesOverview }) {
  return (
    <Panel title="Roles of watches">
      <p className="text-soft">
        Each watch can have its own role, for mentions or for access to a channel. Set it where you edit the
        watch. It is given to Pro members who follow the product at this shop, or whose alert settings include
        the waiting room.
      </p>
      {watches.length === 0 ? null : (
        <ul className="divide-y divide-line">
          {watches.map(({ slug, title, roleId, held }) => (
            <li key={roleId} className="flex flex-wrap justify-between gap-x-5 py-2">
              <Link
                to={`/dashboard/monitor/${slug}/edit`}
                className="min-w-0 wrap-anywhere underline underline-offset-4 hover:text-brand"
              >
                {title}
              </Link>
              <span className="text-soft">{counted(held, 'member')}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Difference({ discordId, difference, account, ...role }: RoleDifference) {
  return (
    <li className="py-2 wrap-anywhere">
      {account === null ? (
        `Discord user ${discordId}, no longer connected`
      ) : (
        <Link to={memberAddress(account.id)} className="underline underline-offset-4 hover:text-brand">
          {account.username}
        </Link>
      )}{' '}
      {difference === 'add' ? 'gets' : 'loses'} {nameOf(role)}
    </li>
  );
}

/** The differences that wait for an admin, if any. */
export function RoleDifferences({ overview }: { overview: RolesOverview }) {
  const { Form, result, pendingIntent } = useForms(['apply']);
  const { differences, server } = overview;
  const { total, first } = differences;
  if (server === null || total === 0) return result === null ? null : <FormNotice result={result} />;
  return (
    <Panel title="Changes that wait for you">
      <FormNotice result={result} />
      <p className="text-soft">
        {`${counted(total, 'role')} on the server ${total === 1 ? 'differs' : 'differ'} from the memberships. More than twenty changes need your approval.`}
      </p>
      <ul className="divide-y divide-line">
        {first.map((difference) => (
          <Difference key={`${difference.discordId} ${nameOf(difference)}`} {...difference} />
        ))}
      </ul>
      {total > first.length ? <p className="text-soft">{`And ${total - first.length} more.`}</p> : null}
      <Form method="post" preventScrollReset>
        <input type="hidden" name="comparedAt" value={server.comparedAt} />
        <Button variant="primary" name="intent" value="apply" pending={pendingIntent === 'apply'}>
          {`Change ${counted(total, 'role')}`}
        </Button>
      </Form>
    </Panel>
  );
}
