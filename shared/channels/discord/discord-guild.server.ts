import { setTimeout as startTimer } from 'node:timers';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { PRODUCT_NAME } from '../../brand';
import { MINUTE, SECOND, systemClock } from '../../clock';
import type { DiscordBotConfig } from '../../config.server';
import { createHttpClient } from '../../network/connect/http-client.server';
import { readLimited } from '../../network/read-limited';
import { createBucketLimits } from './bucket-limits';
import { describeAnswer, describeFault, errorSchema, parseJson } from './discord-answer';
import { createHostPauses } from './host-pauses';
import { retryAfterMs } from './retry-after';

const ANSWER_MS = 10 * SECOND;
const CONNECTIONS = 8;
/** A page of a thousand members has about 600 KB. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** The largest page (Discord docs, "Guild Resource", List Guild Members). */
const MEMBERS_PER_PAGE = 1_000;
/** How long a comparison waits for one answer, over all tries and rate limits. */
const PATIENCE_MS = 2 * MINUTE;
/** Discord docs, "Permissions": Administrator has every other right. */
const MANAGE_ROLES = 1n << 28n;
const ADMINISTRATOR = 1n << 3n;

/** Discord's JSON error codes (Discord docs, "Opcodes and status codes", JSON). */
const UNKNOWN_GUILD = 10_004;
const UNKNOWN_MEMBER = 10_007;
const UNKNOWN_ROLE = 10_011;
const UNKNOWN_USER = 10_013;
const USER_BANNED = 40_007;
const MISSING_ACCESS = 50_001;
const MISSING_PERMISSIONS = 50_013;

const RIGHTS =
  'In Discord, open Server Settings → Roles: the bot’s role needs “Manage Roles” and must be above this role.';

/** The advice to admins by Discord's code. 50013 has two causes that Discord does not distinguish. */
const ADVICE: Record<number, string> = {
  [UNKNOWN_GUILD]: 'Check DISCORD_GUILD_ID, and that the bot has been added to this server.',
  [UNKNOWN_ROLE]: 'The role no longer exists in Discord: set the id of another one.',
  [MISSING_ACCESS]: 'Check that the bot has been added to this server.',
  [MISSING_PERMISSIONS]: RIGHTS,
};

const id = z.string().regex(/^\d{1,20}$/);
const memberSchema = z.object({ user: z.object({ id }), roles: z.array(id) });
const roleSchema = z.object({
  id,
  name: z.string(),
  position: z.number(),
  permissions: z.string().regex(/^\d{1,30}$/),
});
const guildSchema = z.object({ name: z.string(), roles: z.array(roleSchema) });

export interface GuildMember {
  discordId: string;
  roles: string[];
}

/** A call that did not succeed. `limited`: a rate limit that ends after `waitMs`. */
export interface GuildFault {
  kind: 'fault';
  status: number | null;
  /** A sentence for admins, with what they can do. */
  reason: string;
  waitMs?: number;
  limited?: 'receiver' | 'all';
}

export type GuildAnswer<Value> = { kind: 'ok'; value: Value } | { kind: 'absent' } | GuildFault;

export interface DiscordGuild {
  /** `absent`: the user is not in the server. */
  readMember(discordId: string): Promise<GuildAnswer<GuildMember>>;
  /** Gives or takes a role; repeating it changes nothing. `absent`: the user is not in the server. */
  setRole(change: { discordId: string; roleId: string; has: boolean }): Promise<GuildAnswer<null>>;
  /** The name of the server, why the bot can give no role (null: it can), and why it cannot give some of these. */
  inspect(
    roleIds: readonly string[],
  ): Promise<GuildAnswer<{ name: string; fault: string | null; faultOf: ReadonlyMap<string, string> }>>;
  /** Every member, page by page, in the order of their ids. Needs the Server Members Intent. Throws a `GuildUnread`. */
  listMembers(): AsyncGenerator<GuildMember[]>;
  /** Adds a user who has consented (`guilds.join`). `absent`: the server has banned the user. */
  join(user: { discordId: string; accessToken: string }): Promise<GuildAnswer<'joined' | 'member'>>;
  /** How long the next change of a role must wait for rate limits, in ms. */
  pausedMs(): number;
  close(): Promise<void>;
}

/** The members could not be listed. */
export class GuildUnread extends Error {}

interface Call {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Names the bucket: method and path without the ids of users and roles. */
  route: string;
  /** Below the base of the API. */
  path: string;
  body?: unknown;
  advice?: Record<number, string>;
}

/**
 * The client of a bot for one server of Discord, over REST alone. It honours the limits of buckets and the global one, and
 * pauses while Discord's edge blocks this machine. Never throws for faults of Discord, except `listMembers`.
 * `now`: the clock of the pauses, in epoch ms; `answerWithinMs`: how long an answer may take.
 */
export function createDiscordGuild(
  { token, guildId, apiUrl }: DiscordBotConfig,
  {
    appUrl,
    now = systemClock.now,
    answerWithinMs = ANSWER_MS,
  }: { appUrl: string; now?: () => number; answerWithinMs?: number },
): DiscordGuild {
  const client = createHttpClient({
    connections: CONNECTIONS,
    keepAliveTimeout: 60 * SECOND,
    connect: { timeoutMs: 5 * SECOND },
  });
  const limits = createBucketLimits();
  const pauses = createHostPauses({ now });
  const host = new URL(apiUrl).host;
  const closing = new AbortController();
  const guildPath = `/guilds/${guildId}`;

  /** Sorts a whole answer. */
  function read(
    { route, advice = {} }: Call,
    {
      status,
      headers,
      text,
    }: { status: number; headers: Record<string, string | string[] | undefined>; text: string },
  ): GuildAnswer<unknown> | { kind: 'blocked'; reason: string } {
    const body = parseJson(text);
    if (status >= 200 && status < 300) return { kind: 'ok', value: body };
    const fault = errorSchema.safeParse(body).data ?? {};
    const code = fault.code ?? 0;
    const answered = describeAnswer(status, fault);
    if (status === 429) {
      const waitMs = retryAfterMs(headers, body, Date.now());
      if (waitMs === null) return { kind: 'blocked', reason: answered };
      const isGlobal = fault.global === true || headers['x-ratelimit-global'] === 'true';
      limits.pause(route, waitMs, isGlobal);
      return { kind: 'fault', status, reason: answered, waitMs, limited: isGlobal ? 'all' : 'receiver' };
    }
    if (status === 403 && body === null) return { kind: 'blocked', reason: answered };
    if (status === 404 && (code === UNKNOWN_MEMBER || code === UNKNOWN_USER)) return { kind: 'absent' };
    if (status === 403 && code === USER_BANNED) return { kind: 'absent' };
    const help =
      status === 401
        ? 'Discord refuses the bot’s token: set DISCORD_BOT_TOKEN to that of the application’s Bot page.'
        : (advice[code] ?? ADVICE[code]);
    return { kind: 'fault', status, reason: help === undefined ? answered : `${answered}. ${help}` };
  }

  async function call(wanted: Call): Promise<GuildAnswer<unknown>> {
    const { method, route, path, body } = wanted;
    const limitedMs = limits.take(route);
    if (limitedMs > 0) {
      const reason = 'Discord’s rate limit is used up';
      return { kind: 'fault', status: 429, reason, waitMs: limitedMs, limited: 'receiver' };
    }
    const atHost = pauses.begin(host);
    if (atHost.waitMs > 0)
      return {
        kind: 'fault',
        status: 429,
        reason: 'Discord is blocking the address of this server (429 without a retry time)',
        waitMs: atHost.waitMs,
        limited: 'all',
      };
    const controller = new AbortController();
    const timer = startTimer(() => controller.abort(), answerWithinMs);
    try {
      const response = await client.request(`${apiUrl}${path}`, {
        method,
        headers: {
          authorization: `Bot ${token}`,
          'user-agent': `DiscordBot (${appUrl}, 1.0) ${PRODUCT_NAME}`,
          // Discord shows it in the server's audit log.
          ...(method === 'GET' ? {} : { 'x-audit-log-reason': `${PRODUCT_NAME} membership` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([controller.signal, closing.signal]),
      });
      const { statusCode: status, headers } = response;
      limits.note(route, headers);
      const text = await readLimited(response.body, { maxBytes: MAX_ANSWER_BYTES });
      const answer = read(wanted, { status, headers, text });
      const isInvalid = status === 401 || status === 403 || status === 429;
      const isBlocked = answer.kind === 'blocked';
      const waitMs = atHost.end(
        isBlocked ? 'blocked' : isInvalid ? 'invalid' : status < 500 ? 'answered' : 'unknown',
      );
      return isBlocked ? { kind: 'fault', status, reason: answer.reason, waitMs, limited: 'all' } : answer;
    } catch (error) {
      atHost.end('unknown');
      return { kind: 'fault', status: null, reason: `Discord gave ${describeFault(error, answerWithinMs)}` };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Parses the value of an answer; one of another form is a fault. */
  async function get<Schema extends z.ZodType>(
    schema: Schema,
    wanted: Omit<Call, 'method'>,
  ): Promise<GuildAnswer<z.output<Schema>>> {
    const answer = await call({ ...wanted, method: 'GET' });
    if (answer.kind !== 'ok') return answer;
    const parsed = schema.safeParse(answer.value);
    if (parsed.success) return { kind: 'ok', value: parsed.data };
    return { kind: 'fault', status: 200, reason: 'Discord’s answer could not be understood' };
  }

  /** Repeats a call over rate limits and faults that may end. */
  async function insist<Value>(attempt: () => Promise<GuildAnswer<Value>>): Promise<GuildAnswer<Value>> {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let wait = SECOND; ; wait *= 2) {
      const answer = await attempt();
      const mayEnd =
        answer.kind === 'fault' &&
        (answer.limited !== undefined || answer.status === null || answer.status >= 500);
      const waitMs = answer.kind === 'fault' ? (answer.waitMs ?? wait) : 0;
      if (!mayEnd || closing.signal.aborted || performance.now() + waitMs >= giveUpAt) return answer;
      await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  const toGuildMember = ({ user, roles }: z.output<typeof memberSchema>): GuildMember => ({
    discordId: user.id,
    roles,
  });
  const memberCall = (discordId: string) => ({
    route: 'GET member',
    path: `${guildPath}/members/${discordId}`,
  });

  return {
    async readMember(discordId) {
      const answer = await get(memberSchema, memberCall(discordId));
      return answer.kind === 'ok' ? { kind: 'ok', value: toGuildMember(answer.value) } : answer;
    },
    async setRole({ discordId, roleId, has }) {
      const method = has ? 'PUT' : 'DELETE';
      const path = `${guildPath}/members/${discordId}/roles/${roleId}`;
      const answer = await call({ method, route: `${method} role`, path });
      return answer.kind === 'ok' ? { kind: 'ok', value: null } : answer;
    },
    async inspect(roleIds) {
      const guild = await insist(() => get(guildSchema, { route: 'GET guild', path: guildPath }));
      if (guild.kind !== 'ok') return guild;
      const me = await insist(() => get(z.object({ id }), { route: 'GET me', path: '/users/@me' }));
      if (me.kind !== 'ok') return me;
      const bot = await insist(() => get(memberSchema, memberCall(me.value.id)));
      if (bot.kind !== 'ok') return bot;
      const { name, roles } = guild.value;
      // Every member has the role of the server's id (@everyone).
      const held = roles.filter((role) => role.id === guildId || bot.value.roles.includes(role.id));
      const rights = held.reduce((all, role) => all | BigInt(role.permissions), 0n);
      const highest = Math.max(0, ...held.map(({ position }) => position));
      const faultOf = new Map<string, string>();
      for (const roleId of roleIds) {
        const role = roles.find((one) => one.id === roleId);
        if (role === undefined)
          faultOf.set(roleId, `The server has no role ${roleId}: set the id of another one.`);
        else if (role.position >= highest)
          faultOf.set(
            roleId,
            `The role “${role.name}” is not below the bot’s. In Discord, open Server Settings → Roles and drag the bot’s role above it.`,
          );
      }
      const fault =
        (rights & (MANAGE_ROLES | ADMINISTRATOR)) === 0n
          ? `The bot may not change roles. In Discord, open Server Settings → Roles and give the bot’s role “Manage Roles”.`
          : null;
      return { kind: 'ok', value: { name, fault, faultOf } };
    },
    async *listMembers() {
      const advice = {
        [MISSING_ACCESS]:
          'Switch on the Server Members Intent on the application’s Bot page, and check that the bot is in this server.',
      };
      for (let after = '0'; ;) {
        const path = `${guildPath}/members?limit=${MEMBERS_PER_PAGE}&after=${after}`;
        const page = await insist(() => get(z.array(memberSchema), { route: 'GET members', path, advice }));
        if (page.kind !== 'ok')
          throw new GuildUnread(page.kind === 'fault' ? page.reason : 'Discord answered 404');
        yield page.value.map(toGuildMember);
        const last = page.value.at(-1)?.user.id;
        if (page.value.length < MEMBERS_PER_PAGE || last === undefined || BigInt(last) <= BigInt(after))
          return;
        after = last;
      }
    },
    async join({ discordId, accessToken }) {
      const answer = await call({
        method: 'PUT',
        route: 'PUT member',
        path: `${guildPath}/members/${discordId}`,
        body: { access_token: accessToken },
        advice: {
          [MISSING_PERMISSIONS]:
            'In Discord, open Server Settings → Roles and give the bot’s role “Create Invite”.',
        },
      });
      return answer.kind === 'ok'
        ? { kind: 'ok', value: answer.value === null ? 'member' : 'joined' }
        : answer;
    },
    pausedMs: () => limits.waitMs(['GET member', 'PUT role', 'DELETE role']),
    close() {
      closing.abort();
      return client.destroy();
    },
  };
}
