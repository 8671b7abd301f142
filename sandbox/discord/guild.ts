import { z } from 'zod';
import { createFaultQueue, faultLife } from '../fault-queue';
import { createApp, hang, pause, CALLER_GONE, type RequestContext, type ResponseHeaders } from '../http/app';
import { createRecentList, epochNow, type Changes, type Service } from '../service';
import { ADMIN_PERSONA_ID } from './personas';
import { faultReply, isInForce, toResponse, tooManyRequests, type Limit, type Reply } from './replies';
import { GUILD_ID } from './webhook';

/** The bot of the registered application. */
export const BOT = { id: '150000000000000099', token: 'sandbox-bot-token.not-a-secret' } as const;
/** The roles that never change their ids, so that saved settings survive a restart. */
export const FIRST_ROLES = {
  free: '160000000000000001',
  instant: '160000000000000002',
  bot: '160000000000000003',
  moderator: '160000000000000004',
} as const;
/** Discord docs, "Permissions". */
const MANAGE_ROLES = 1 << 28;
const CREATE_INSTANT_INVITE = 1;
const MAX_REQUESTS = 10_000;
/** The largest page of members (Discord docs, "Guild Resource › List Guild Members"). */
const MAX_PAGE = 1_000;

const id = z.string().regex(/^\d{1,20}$/);

/** The kinds of requests; each has its own bucket. */
const AT = ['me', 'guild', 'roles', 'member', 'members', 'join', 'add', 'remove'] as const;
type At = (typeof AT)[number];

const life = {
  ...faultLife,
  /** The requests that the fault applies to. Default: all. */
  at: z.array(z.enum(AT)).min(1).optional(),
};

/**
 * A fault of the guild's API. `retryAfter`: seconds. `delay` carries out the request and responds late; `hang` never
 * responds, and carries it out only with `accept`; `garbage` carries it out and answers with HTML.
 */
export const guildFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('status'),
    status: z.int().min(400).max(599),
    code: z.int().optional(),
    message: z.string().optional(),
    retryAfter: z.number().positive().max(3_600).optional(),
    global: z.boolean().optional(),
    scope: z.enum(['user', 'global', 'shared']).optional(),
    ...life,
  }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000), ...life }),
  z.strictObject({ kind: z.literal('hang'), accept: z.boolean().optional(), ...life }),
  z.strictObject({ kind: z.literal('garbage'), ...life }),
]);
export type GuildFault = z.infer<typeof guildFaultSchema>;

/** What a test changes. `limit`: of the requests that change a role, in a window of `windowMs`. */
export const guildSettingSchema = z.strictObject({
  token: z.string().min(1).optional(),
  exists: z.boolean().optional(),
  canManageRoles: z.boolean().optional(),
  /** The Server Members Intent of the application. */
  listsMembers: z.boolean().optional(),
  limit: z.int().min(1).max(100_000).optional(),
  windowMs: z.int().min(1).max(600_000).optional(),
});

export const guildMemberSchema = z.strictObject({
  username: z.string().min(1).max(32).optional(),
  roles: z.array(id).max(250).optional(),
});
export const guildRoleSchema = z.strictObject({
  name: z.string().min(1).max(100).optional(),
  position: z.int().min(1).max(250).optional(),
});
export const guildLeaveSchema = z.strictObject({ ban: z.boolean().default(false) });

export interface GuildMember {
  id: string;
  username: string;
  roles: string[];
  joinedAt: string;
}

interface Role {
  id: string;
  name: string;
  position: number;
  managed: boolean;
  permissions: number;
}

/** One request of the bot. Times are epoch milliseconds with a fraction. */
export interface GuildRequest {
  receivedAt: number;
  method: string;
  path: string;
  at: At;
  /** null while there is no response. */
  status: number | null;
}

const refusal = (status: number, code: number, message: string): Reply => ({
  status,
  body: { message, code },
});
const UNAUTHORIZED = refusal(401, 0, '401: Unauthorized');
const UNKNOWN_GUILD = refusal(404, 10_004, 'Unknown Guild');
const UNKNOWN_MEMBER = refusal(404, 10_007, 'Unknown Member');
const UNKNOWN_ROLE = refusal(404, 10_011, 'Unknown Role');
const MISSING_ACCESS = refusal(403, 50_001, 'Missing Access');
const MISSING_PERMISSIONS = refusal(403, 50_013, 'Missing Permissions');
const BANNED = refusal(403, 40_007, 'The user is banned from this guild.');
const INVALID_TOKEN = refusal(403, 50_025, 'Invalid OAuth2 access token');

/**
 * Discord's guild: its members and roles, as a bot reads and changes them over REST.
 * @param personOf the user whose OAuth token this is, if it has the scope `guilds.join`
 */
export function createGuild(
  changes: Changes,
  personOf: (token: string) => { id: string; username: string } | null,
) {
  const members = new Map<string, GuildMember>();
  const banned = new Set<string>();
  const roles = new Map<string, Role>();
  const faults = createFaultQueue<GuildFault>();
  const requests = createRecentList<GuildRequest>(MAX_REQUESTS);
  const limits = new Map<At, Limit>();
  const windows = new Map<At, { until: number; used: number }>();
  let globalLimit: Limit | null = null;
  let setting = defaults();

  function defaults() {
    return {
      token: BOT.token as string,
      exists: true,
      canManageRoles: true,
      listsMembers: true,
      // Observed for these calls (discord/discord-api-docs, issue 7680).
      limit: 10,
      windowMs: 10_000,
    };
  }

  function putMember(
    memberId: string,
    change: { username?: string | undefined; roles?: string[] | undefined } = {},
  ) {
    const known = members.get(memberId);
    members.set(memberId, {
      id: memberId,
      username: change.username ?? known?.username ?? `user_${memberId.slice(-4)}`,
      roles: change.roles ?? known?.roles ?? [],
      joinedAt: known?.joinedAt ?? new Date().toISOString(),
    });
    banned.delete(memberId);
    changes.mark();
  }

  function reset(): void {
    for (const map of [members, roles, limits, windows]) map.clear();
    banned.clear();
    faults.set([]);
    requests.clear();
    globalLimit = null;
    setting = defaults();
    const add = (roleId: string, name: string, position: number, more: Partial<Role> = {}) =>
      roles.set(roleId, { id: roleId, name, position, managed: false, permissions: 0, ...more });
    add(GUILD_ID, '@everyone', 0);
    add(FIRST_ROLES.free, 'Free', 1);
    add(FIRST_ROLES.instant, 'Instant', 2);
    add(FIRST_ROLES.bot, 'Packwatch bot', 3, {
      managed: true,
      permissions: MANAGE_ROLES + CREATE_INSTANT_INVITE,
    });
    add(FIRST_ROLES.moderator, 'Moderator', 4);
    putMember(BOT.id, { username: 'packwatch', roles: [FIRST_ROLES.bot] });
    putMember(ADMIN_PERSONA_ID, { username: 'ada_admin', roles: [FIRST_ROLES.moderator] });
    putMember('150000000000000002', { username: 'priya_pro' });
    putMember('150000000000000003', { username: 'fred_free' });
    changes.mark();
  }

  const toMember = (member: GuildMember) => ({
    user: { id: member.id, username: member.username, discriminator: '0', bot: member.id === BOT.id },
    nick: null,
    avatar: null,
    roles: member.roles,
    joined_at: member.joinedAt,
    deaf: false,
    mute: false,
    flags: 0,
    pending: false,
  });
  const toRole = (role: Role) => ({
    id: role.id,
    name: role.name,
    position: role.position,
    managed: role.managed,
    permissions: String(
      role.id === FIRST_ROLES.bot && !setting.canManageRoles ? CREATE_INSTANT_INVITE : role.permissions,
    ),
    color: 0,
    hoist: false,
    mentionable: false,
  });
  const listRoles = () => [...roles.values()].map(toRole);

  function changeRole({ req }: RequestContext, add: boolean): Reply {
    const member = members.get(req.param('user') ?? '');
    const role = roles.get(req.param('role') ?? '');
    if (member === undefined) return UNKNOWN_MEMBER;
    if (role === undefined) return UNKNOWN_ROLE;
    const botPosition = Math.max(
      ...(members.get(BOT.id)?.roles ?? []).map((held) => roles.get(held)?.position ?? 0),
    );
    // The bot's own role must be above it; roles of integrations are given by these alone.
    if (!setting.canManageRoles || role.managed || role.position >= botPosition) return MISSING_PERMISSIONS;
    member.roles = [...member.roles.filter((held) => held !== role.id), ...(add ? [role.id] : [])];
    changes.mark();
    return { status: 204 };
  }

  function listMembers({ var: { url } }: RequestContext): Reply {
    if (!setting.listsMembers) return MISSING_ACCESS;
    const limit = Math.min(MAX_PAGE, Math.max(1, Number(url.searchParams.get('limit') ?? 1)));
    const after = BigInt(url.searchParams.get('after') ?? 0);
    const page = [...members.values()]
      .filter((member) => BigInt(member.id) > after)
      .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1))
      .slice(0, limit);
    return { status: 200, body: page.map(toMember) };
  }

  function join({ req }: RequestContext, body: unknown): Reply {
    const userId = req.param('user') ?? '';
    const token = z.object({ access_token: z.string() }).safeParse(body).data?.access_token;
    if (token === undefined) return refusal(400, 50_035, 'Invalid Form Body');
    if (personOf(token)?.id !== userId) return INVALID_TOKEN;
    if (banned.has(userId)) return BANNED;
    if (members.has(userId)) return { status: 204 };
    putMember(userId, { username: personOf(token)?.username });
    return { status: 201, body: toMember(members.get(userId) as GuildMember) };
  }

  /** The limit that a request meets; counts those that change a role. */
  function limitOf(at: At, now: number): Limit | null {
    const set = [globalLimit, limits.get(at) ?? null].find((limit) => isInForce(limit, now));
    if (set != null) return set;
    if (at !== 'add' && at !== 'remove') return null;
    const known = windows.get(at);
    const window =
      known !== undefined && now < known.until ? known : { until: now + setting.windowMs, used: 0 };
    windows.set(at, window);
    window.used += 1;
    return window.used > setting.limit ? { until: window.until, global: false, scope: 'user' } : null;
  }

  /** The headers of every answer below a limit (Discord docs, "Rate Limits › Header Format"). */
  function rateHeaders(at: At, now: number): ResponseHeaders {
    const window = windows.get(at);
    if (window === undefined) return {};
    return {
      'x-ratelimit-bucket': `sandbox-guild-${at}`,
      'x-ratelimit-limit': String(setting.limit),
      'x-ratelimit-remaining': String(Math.max(0, setting.limit - window.used)),
      'x-ratelimit-reset': (window.until / 1_000).toFixed(3),
      'x-ratelimit-reset-after': (Math.max(0, window.until - now) / 1_000).toFixed(3),
    };
  }

  function statusReply(at: At, fault: Extract<GuildFault, { kind: 'status' }>): Reply {
    const now = epochNow();
    if (fault.status === 429) {
      const global = fault.global ?? false;
      const limit: Limit = {
        until: now + (fault.retryAfter ?? 1) * 1_000,
        global,
        scope: fault.scope ?? (global ? 'global' : 'user'),
      };
      if (global) globalLimit = limit;
      else limits.set(at, limit);
      return { status: 429, ...tooManyRequests(limit, `guild-${at}`, now) };
    }
    return fault.code === undefined
      ? faultReply(fault.status)
      : refusal(fault.status, fault.code, fault.message ?? 'Refused');
  }

  type Act = (context: RequestContext, body: unknown) => Reply;

  async function handle(at: At, act: Act, context: RequestContext): Promise<Response> {
    const { arrivedAt, url } = context.var;
    const request: GuildRequest = {
      receivedAt: arrivedAt,
      method: context.req.method,
      path: url.pathname + url.search,
      at,
      status: null,
    };
    requests.add(request);
    changes.mark();
    const send = (reply: Reply): Response => {
      request.status = reply.status;
      changes.mark();
      return toResponse({ ...reply, headers: { ...rateHeaders(at, epochNow()), ...reply.headers } });
    };
    const body = await context.req.json<unknown>().catch(() => null);
    const fault = faults.take(({ at: applies }) => applies === undefined || applies.includes(at));
    if (fault?.kind === 'status') return send(statusReply(at, fault));
    const limit = limitOf(at, arrivedAt);
    if (limit !== null) return send({ status: 429, ...tooManyRequests(limit, `guild-${at}`, epochNow()) });
    if (fault?.kind === 'hang' && fault.accept !== true) return hang();
    const reply = authorized(context) ?? act(context, body);
    if (fault?.kind === 'hang') return hang();
    if (fault?.kind === 'garbage')
      return send({
        status: 200,
        body: '<html>One moment please</html>',
        headers: { 'content-type': 'text/html' },
      });
    if (fault?.kind === 'delay' && !(await pause(context, fault.ms))) return CALLER_GONE;
    return send(reply);
  }

  function authorized({ req }: RequestContext): Reply | null {
    if (req.header('authorization') !== `Bot ${setting.token}`) return UNAUTHORIZED;
    const guildId = req.param('guild');
    return guildId !== undefined && (guildId !== GUILD_ID || !setting.exists) ? UNKNOWN_GUILD : null;
  }

  const app = createApp();
  // The same path with a user's token belongs to the sign-in.
  app.get('/api/v10/users/@me', (context, next) =>
    /^Bot /i.test(context.req.header('authorization') ?? '')
      ? handle('me', () => ({ status: 200, body: { id: BOT.id, username: 'packwatch', bot: true } }), context)
      : next(),
  );
  const GUILD = '/api/v10/guilds/:guild';
  const on = (method: string, path: string, at: At, act: Act): void => {
    app.on(method, GUILD + path, (context) => handle(at, act, context));
  };
  on('GET', '', 'guild', () => ({
    status: 200,
    body: { id: GUILD_ID, name: 'Packwatch', roles: listRoles() },
  }));
  on('GET', '/roles', 'roles', () => ({ status: 200, body: listRoles() }));
  on('GET', '/members', 'members', listMembers);
  on('GET', '/members/:user', 'member', ({ req }) => {
    const member = members.get(req.param('user') ?? '');
    return member === undefined ? UNKNOWN_MEMBER : { status: 200, body: toMember(member) };
  });
  on('PUT', '/members/:user', 'join', join);
  on('PUT', '/members/:user/roles/:role', 'add', (context) => changeRole(context, true));
  on('DELETE', '/members/:user/roles/:role', 'remove', (context) => changeRole(context, false));

  const state = () => ({
    id: GUILD_ID,
    setting,
    roles: [...roles.values()].sort((a, b) => b.position - a.position),
    members: [...members.values()],
    banned: [...banned],
    faults: faults.list(),
  });
  const service: Service = { name: 'guild', app, state, reset };

  return {
    service,
    id: GUILD_ID,
    state,
    members: (): GuildMember[] => [...members.values()],
    /** The roles of a member; null for a user who is not in the guild. */
    rolesOf: (userId: string): string[] | null => members.get(userId)?.roles ?? null,
    /** Adds a member, or changes one. */
    putMember,
    /** Removes a member, with `ban` for good. */
    removeMember(userId: string, { ban }: { ban: boolean }): void {
      members.delete(userId);
      if (ban) banned.add(userId);
      changes.mark();
    },
    /** Adds a role, or changes its name or position; one above the bot's (3) cannot be given by it. */
    putRole(
      roleId: string,
      { name, position }: { name?: string | undefined; position?: number | undefined },
    ): void {
      const known = roles.get(roleId);
      roles.set(roleId, {
        id: roleId,
        name: name ?? known?.name ?? `role_${roleId.slice(-4)}`,
        position: position ?? known?.position ?? 1,
        managed: known?.managed ?? false,
        permissions: known?.permissions ?? 0,
      });
      changes.mark();
    },
    deleteRole(roleId: string): void {
      roles.delete(roleId);
      for (const member of members.values()) member.roles = member.roles.filter((held) => held !== roleId);
      changes.mark();
    },
    set(change: z.infer<typeof guildSettingSchema>): void {
      setting = {
        ...setting,
        ...(Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as Partial<
          typeof setting
        >),
      };
      windows.clear();
      changes.mark();
    },
    requests: requests.list,
    clearRequests: requests.clear,
    faults: faults.list,
    /** Replaces the faults and clears the rate limits. */
    setFaults(next: readonly GuildFault[]): void {
      faults.set(next);
      limits.clear();
      windows.clear();
      globalLimit = null;
      changes.mark();
    },
  };
}

export type Guild = ReturnType<typeof createGuild>;
