import {
  guildFaultSchema,
  guildLeaveSchema,
  guildMemberSchema,
  guildRoleSchema,
  guildSettingSchema,
  type Guild,
} from '../discord/guild';
import { checkInput, clearCommand, faultsCommand, getCommand, type Command } from './command';

/** The commands of Discord's guild. */
export function guildCommands(guild: Guild): Command[] {
  const memberOf = (context: Parameters<Command['run']>[1]) => context.req.param('id') ?? '';
  return [
    getCommand('/control/guild', () => ({ ...guild.state(), requests: guild.requests() })),
    {
      method: 'PUT',
      path: '/control/guild',
      run(value) {
        guild.set(checkInput(guildSettingSchema, value));
        return { value: guild.state() };
      },
    },
    clearCommand('/control/guild/requests', 'requests', guild.clearRequests),
    {
      method: 'PUT',
      path: '/control/guild/members/:id',
      run(value, context) {
        guild.putMember(memberOf(context), checkInput(guildMemberSchema, value));
        return { value: guild.state() };
      },
    },
    {
      method: 'DELETE',
      path: '/control/guild/members/:id',
      run(value, context) {
        guild.removeMember(memberOf(context), checkInput(guildLeaveSchema, value));
        return { value: guild.state() };
      },
    },
    {
      method: 'PUT',
      path: '/control/guild/roles/:id',
      run(value, context) {
        guild.putRole(memberOf(context), checkInput(guildRoleSchema, value));
        return { value: guild.state() };
      },
    },
    {
      method: 'DELETE',
      path: '/control/guild/roles/:id',
      run(_value, context) {
        guild.deleteRole(memberOf(context));
        return { value: guild.state() };
      },
    },
    faultsCommand('/control/guild/faults', guildFaultSchema, guild),
  ];
}
