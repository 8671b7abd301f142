import { FIRST_ROLES, type Guild, type GuildFault, type GuildMember } from '../discord/guild';
import { html, type Html } from '../html';
import { count, drawButton, drawFaults, drawTable, drawTime, newest, type Preset } from './draw-parts';

const SHOWN_MEMBERS = 30;
const SHOWN_REQUESTS = 15;

const PRESETS: Preset<GuildFault>[] = [
  { label: '429 for 5 s', faults: [{ kind: 'status', status: 429, retryAfter: 5 }] },
  { label: '429 for all, 5 s', faults: [{ kind: 'status', status: 429, retryAfter: 5, global: true }] },
  { label: '500 three times', faults: [{ kind: 'status', status: 500, count: 3 }] },
  { label: 'Away (503)', faults: [{ kind: 'status', status: 503, persistent: true }] },
  { label: 'Never respond', faults: [{ kind: 'hang' }] },
  { label: 'Odd body', faults: [{ kind: 'garbage' }] },
];

/** Discord's guild: members with their roles, what the bot may do, and its requests. */
export function drawGuild(guild: Guild): Html {
  const { roles, members, banned, setting, faults } = guild.state();
  const nameOf = (roleId: string) => roles.find(({ id }) => id === roleId)?.name ?? roleId;
  const isAbove = roles.some(({ id, position }) => id === FIRST_ROLES.instant && position > 3);
  const requests = guild.requests();
  const rows = newest(members, SHOWN_MEMBERS).map(
    (member: GuildMember) =>
      html`<tr>
        <td>${member.username}<br /><small>${member.id}</small></td>
        <td>${member.roles.length === 0 ? 'no role' : member.roles.map(nameOf).join(', ')}</td>
        <td>
          ${drawButton(`guild/members/${member.id}`, `leave-${member.id}`, 'Leaves', {}, 'DELETE')}
          ${drawButton(`guild/members/${member.id}`, `ban-${member.id}`, 'Ban', { ban: 'true' }, 'DELETE')}
        </td>
      </tr>`,
  );
  return html`<section class="card" id="guild" data-live aria-labelledby="guild-title">
    <h2 id="guild-title">Discord server <span class="count">${members.length}</span></h2>
    <p class="soft">
      Roles, the highest first: ${roles.map(({ name, id }) => `${name} (${id})`).join(', ')}.
      ${banned.length > 0 && html`Banned: ${banned.join(', ')}.`}
    </p>
    ${drawTable('Members of the server', ['Member', 'Roles', ''], rows)}
    <div class="buttons">
      ${drawButton('guild/members/150000000000000002', 'join-pro', 'The Pro member joins', {}, 'PUT')}
      ${drawButton('guild/members/150000000000000003', 'join-free', 'The free member joins', {}, 'PUT')}
      ${drawButton(
        `guild/roles/${FIRST_ROLES.instant}`,
        'move-instant',
        isAbove ? 'Instant below the bot' : 'Instant above the bot',
        { position: isAbove ? 2 : 5 },
        'PUT',
      )}
      ${drawButton(
        'guild',
        'manage-roles',
        setting.canManageRoles ? 'Take Manage Roles from the bot' : 'Give Manage Roles to the bot',
        { canManageRoles: String(!setting.canManageRoles) },
        'PUT',
      )}
      ${drawButton(
        'guild',
        'members-intent',
        setting.listsMembers ? 'Server Members Intent off' : 'Server Members Intent on',
        { listsMembers: String(!setting.listsMembers) },
        'PUT',
      )}
    </div>
    ${drawFaults('guild', 'guild/faults', PRESETS, faults)}
    ${
      requests.length > 0 &&
      html`<details id="requests-guild">
        <summary>${count(requests.length, 'request')}</summary>
        ${drawTable(
          'Requests of the bot',
          ['At', 'Request', 'Response'],
          newest(requests, SHOWN_REQUESTS).map(
            ({ receivedAt, method, path, status }) =>
              html`<tr>
                <td>${drawTime(receivedAt)}</td>
                <td>${method} ${path}</td>
                <td class="number">${status ?? 'none'}</td>
              </tr>`,
          ),
        )}
      </details>`
    }
  </section>`;
}
