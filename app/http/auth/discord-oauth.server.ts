import { createCookieSessionStorage, type Session, type SessionStorage } from '@remix-run/node';
import { Authenticator, AuthorizationError } from 'remix-auth';
import {
  DiscordStrategy,
  type DiscordExtraParams,
  type DiscordScope,
  type DiscordProfile as RawProfile,
} from 'remix-auth-discord';
import { Agent, fetch, type Dispatcher } from 'undici';
import { z } from 'zod';
import type { DiscordProfile } from '#shared/accounts/discord/sign-in-with-discord';
import { MINUTE, SECOND, type Clock } from '#shared/clock';
import type { DiscordOAuthConfig } from '#shared/config.server';
import { createUndiciConnector } from '#shared/network/connect/undici-connector.server';
import { readCookies } from '../cookies/cookies.server';

/** How long a user may take to sign in at Discord. */
const STATE_LIFETIME_MS = 10 * MINUTE;
const DISCORD_TIMEOUT_MS = 10 * SECOND;

/** Without the `email` scope or an address, `email` is missing or null (Discord docs, "User Resource", User Object). */
const userSchema = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
});

const tokenSchema = z.object({ access_token: z.string().min(1), scope: z.string().default('') });

/** An invalid response from Discord. The message contains no part of it: it may hold tokens and codes. */
class DiscordResponseError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DiscordResponseError';
  }
}

async function readResponse<Schema extends z.ZodType>(
  response: Pick<Response, 'ok' | 'status' | 'json'>,
  schema: Schema,
  name: string,
): Promise<z.output<Schema>> {
  if (!response.ok)
    throw new DiscordResponseError(`Discord responded with ${response.status} to the ${name} request`);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new DiscordResponseError(`Discord’s response to the ${name} request is invalid`);
  return parsed.data;
}

interface DiscordUser {
  profile: DiscordProfile;
  /** The token that may add the user to the server; null without the user's consent. It is not stored. */
  joinToken: string | null;
}

/** Discord’s strategy with URLs from the configuration, timeouts and validated responses. */
class PackwatchDiscordStrategy extends DiscordStrategy<DiscordUser> {
  readonly #dispatcher: Dispatcher;
  readonly #config: DiscordOAuthConfig;

  constructor(
    config: DiscordOAuthConfig,
    {
      callbackURL,
      dispatcher,
      asksToJoin,
    }: { callbackURL: string; dispatcher: Dispatcher; asksToJoin: boolean },
  ) {
    super(
      {
        clientID: config.clientId,
        clientSecret: config.clientSecret,
        callbackURL,
        scope: ['identify', 'email', ...(asksToJoin ? (['guilds.join'] as const) : [])],
      },
      ({ accessToken, extraParams, profile: { __json: user } }) =>
        Promise.resolve({
          joinToken: extraParams.scope.includes('guilds.join') ? accessToken : null,
          profile: {
            id: user.id,
            username: user.username,
            avatar: user.avatar,
            email: user.email ?? null,
            verified: user.verified === true,
          },
        }),
    );
    this.#config = config;
    this.#dispatcher = dispatcher;
    this.authorizationURL = config.authorizeUrl;
    this.tokenURL = `${config.apiUrl}/oauth2/token`;
  }

  protected override async fetchAccessToken(
    code: string,
    params: URLSearchParams,
  ): Promise<{ accessToken: string; refreshToken: string; extraParams: DiscordExtraParams }> {
    params.set('code', code);
    const { clientId, clientSecret } = this.#config;
    // Both are form-encoded (RFC 6749, section 2.3.1).
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const credentials = Buffer.from(pair).toString('base64');
    const response = await fetch(this.tokenURL, {
      dispatcher: this.#dispatcher,
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: params,
      redirect: 'error',
      signal: AbortSignal.timeout(DISCORD_TIMEOUT_MS),
    });
    const { access_token, scope } = await readResponse(response, tokenSchema, 'token');
    return {
      accessToken: access_token,
      refreshToken: '',
      extraParams: { expires_in: 604_800, token_type: 'Bearer', scope: scope.split(' ') as DiscordScope[] },
    };
  }

  protected override async userProfile(accessToken: string): Promise<RawProfile> {
    const response = await fetch(`${this.#config.apiUrl}/users/@me`, {
      dispatcher: this.#dispatcher,
      headers: { Authorization: `Bearer ${accessToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(DISCORD_TIMEOUT_MS),
    });
    const user = await readResponse(response, userSchema, 'user');
    return {
      provider: 'discord',
      id: user.id,
      displayName: user.global_name ?? user.username,
      __json: {
        id: user.id,
        username: user.username,
        discriminator: '0',
        global_name: user.global_name ?? null,
        avatar: user.avatar ?? null,
        email: user.email ?? null,
        verified: user.verified === true,
      },
    };
  }
}

/** Sign-ins of one browser that may wait for Discord at the same time. */
const MOST_PENDING = 5;

/** Where the strategy keeps its state in the session (remix-auth-oauth2, `sessionStateKey`). */
const STATE_KEY = 'oauth2:state';
/** The strategy's states are UUIDs. The name of a cookie allows all these characters. */
const STATE = /^[\w-]{1,64}$/;

interface StateSite {
  clock: Clock;
  secure: boolean;
  secrets: string[];
}

function stateCookiePrefix({ secure }: { secure: boolean }): string {
  return secure ? '__Host-packwatch_discord_' : 'packwatch_discord_';
}

/**
 * A session cookie that keeps one state and `next`, the path to open afterwards, for ten minutes. Each state has its own
 * cookie, so that sign-ins in several tabs neither replace nor end each other.
 */
function stateStorage({ clock, secure, secrets }: StateSite, state: string): SessionStorage {
  const storage = createCookieSessionStorage({
    cookie: {
      name: stateCookiePrefix({ secure }) + state,
      httpOnly: true,
      path: '/',
      sameSite: 'lax',
      secure,
      secrets,
      maxAge: STATE_LIFETIME_MS / SECOND,
    },
  });
  return {
    ...storage,
    async getSession(cookieHeader, options) {
      const session = await storage.getSession(cookieHeader, options);
      const until: unknown = session.get('until');
      const isValid = typeof until === 'number' && clock.now() < until;
      return isValid ? session : storage.getSession(null, options);
    },
  };
}

/** The storage of a new sign-in: the strategy puts its new state into the session, and then commits it. */
function newStateStorage(site: StateSite, next: string | null): SessionStorage {
  const { getSession, destroySession } = stateStorage(site, 'new');
  return {
    getSession,
    destroySession,
    commitSession(session) {
      session.set('until', site.clock.now() + STATE_LIFETIME_MS);
      if (next !== null) session.set('next', next);
      return stateStorage(site, String(session.get(STATE_KEY))).commitSession(session);
    },
  };
}

/** The Set-Cookie lines that delete the oldest states, so that one more can be added. */
async function deleteOldestStates(site: StateSite, cookieHeader: string | null): Promise<string[]> {
  const prefix = stateCookiePrefix(site);
  const states = [...readCookies(cookieHeader).keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .filter((state) => STATE.test(state));
  if (states.length < MOST_PENDING) return [];
  const pending = await Promise.all(
    states.map(async (state) => {
      const storage = stateStorage(site, state);
      const session = await storage.getSession(cookieHeader);
      return { storage, session, until: Number(session.get('until') ?? 0) };
    }),
  );
  const oldest = pending.sort((a, b) => b.until - a.until).slice(MOST_PENDING - 1);
  return Promise.all(oldest.map(({ storage, session }) => storage.destroySession(session)));
}

export type DiscordCallback =
  | ({ kind: 'profile'; next: string | null } & DiscordUser)
  /** The state is missing, expired, or belongs to another browser. */
  | { kind: 'invalid_state' }
  | { kind: 'failed'; error: unknown };

export interface DiscordOAuth {
  /**
   * The redirect to Discord; its cookie binds the sign-in to this browser. `next`: the path to open afterwards; `asksToJoin`:
   * Discord asks for the permission to add the user to a server.
   */
  authorize(request: Request, options: { next: string | null; asksToJoin: boolean }): Promise<Response>;
  /** Reads the profile of the user who returned from Discord. */
  callback(request: Request): Promise<DiscordCallback>;
  /** The path to open after the sign-in of the returned state, used or not; null without one. */
  nextOfReturn(request: Request): Promise<string | null>;
  /** The Set-Cookie that ends the returned state and keeps its path, for a repeated return. */
  endState(request: Request): Promise<string>;
}

/** Discord’s OAuth flow. The application at Discord must list `appUrl/auth/discord/callback` as a redirect URI. */
export function createDiscordOAuth({
  oauth,
  appUrl,
  clock,
  cookieSecrets,
}: {
  oauth: DiscordOAuthConfig;
  appUrl: string;
  clock: Clock;
  cookieSecrets: string[];
}): DiscordOAuth {
  const callbackUrl = `${appUrl}/auth/discord/callback`;
  const dispatcher = new Agent({ connect: createUndiciConnector({ timeoutMs: DISCORD_TIMEOUT_MS }) });
  const site: StateSite = { clock, secure: appUrl.startsWith('https:'), secrets: cookieSecrets };
  const authenticatorWith = (sessions: SessionStorage, asksToJoin = false) =>
    new Authenticator<DiscordUser>(sessions, { throwOnError: true }).use(
      new PackwatchDiscordStrategy(oauth, { callbackURL: callbackUrl, dispatcher, asksToJoin }),
    );
  /** The state of a return from Discord. An invalid one has no cookie. */
  const openReturn = async (request: Request) => {
    const state = new URL(request.url).searchParams.get('state') ?? '';
    const storage = stateStorage(site, STATE.test(state) ? state : 'none');
    return { storage, session: await storage.getSession(request.headers.get('Cookie')) };
  };
  const nextOf = (session: Session): string | null => {
    const next: unknown = session.get('next');
    return typeof next === 'string' ? next : null;
  };

  return {
    async authorize(request, { next, asksToJoin }) {
      try {
        // For any URL except the callback the strategy throws its redirect.
        await authenticatorWith(newStateStorage(site, next), asksToJoin).authenticate(
          'discord',
          new Request(appUrl),
        );
      } catch (thrown) {
        if (!(thrown instanceof Response)) throw thrown;
        for (const line of await deleteOldestStates(site, request.headers.get('Cookie')))
          thrown.headers.append('Set-Cookie', line);
        return thrown;
      }
      throw new Error('the strategy did not redirect to Discord');
    },
    async callback(request) {
      const address = new URL(callbackUrl);
      address.search = new URL(request.url).search;
      const cookie = request.headers.get('Cookie');
      const returned = new Request(address, { headers: { Cookie: cookie ?? '' } });
      const { storage, session } = await openReturn(request);
      try {
        const user = await authenticatorWith(storage).authenticate('discord', returned);
        return { kind: 'profile', ...user, next: nextOf(session) };
      } catch (thrown) {
        if (!(thrown instanceof AuthorizationError)) throw thrown;
        // The error has its reason only in the message (remix-auth-oauth2, `authenticate`).
        if (/state/i.test(thrown.message)) return { kind: 'invalid_state' };
        return { kind: 'failed', error: thrown.cause };
      }
    },
    async nextOfReturn(request) {
      return nextOf((await openReturn(request)).session);
    },
    async endState(request) {
      const { storage, session } = await openReturn(request);
      if (nextOf(session) === null) return storage.destroySession(session);
      session.unset(STATE_KEY);
      return storage.commitSession(session);
    },
  };
}
