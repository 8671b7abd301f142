import { createCookieSessionStorage, type SessionStorage } from '@remix-run/node';
import { Authenticator, AuthorizationError } from 'remix-auth';
import {
  DiscordStrategy,
  type DiscordExtraParams,
  type DiscordProfile as RawProfile,
} from 'remix-auth-discord';
import { Agent, fetch, type Dispatcher } from 'undici';
import { z } from 'zod';
import type { DiscordProfile } from '#shared/accounts/discord/sign-in-with-discord';
import { MINUTE, SECOND, type Clock } from '#shared/clock';
import type { DiscordOAuthConfig } from '#shared/config.server';
import { createUndiciConnector } from '#shared/network/connect/undici-connector.server';

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

/** Discord’s strategy with URLs from the configuration, timeouts and validated responses. */
class PackwatchDiscordStrategy extends DiscordStrategy<DiscordProfile> {
  readonly #dispatcher: Dispatcher;
  readonly #config: DiscordOAuthConfig;

  constructor(config: DiscordOAuthConfig, callbackURL: string, dispatcher: Dispatcher) {
    super(
      {
        clientID: config.clientId,
        clientSecret: config.clientSecret,
        callbackURL,
        scope: ['identify', 'email'],
      },
      ({ profile: { __json: user } }) =>
        Promise.resolve({
          id: user.id,
          username: user.username,
          avatar: user.avatar,
          email: user.email ?? null,
          verified: user.verified === true,
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
    const { access_token } = await readResponse(response, tokenSchema, 'token');
    return {
      accessToken: access_token,
      refreshToken: '',
      extraParams: { expires_in: 604_800, token_type: 'Bearer', scope: [] },
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

/** A session cookie that keeps `state` and `next`, the path to open afterwards, until the callback or for ten minutes. */
function stateStorage({
  clock,
  secure,
  secrets,
  next = null,
}: {
  clock: Clock;
  secure: boolean;
  secrets: string[];
  next?: string | null;
}): SessionStorage {
  const storage = createCookieSessionStorage({
    cookie: {
      name: secure ? '__Host-packwatch_discord' : 'packwatch_discord',
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
    commitSession(session, options) {
      session.set('until', clock.now() + STATE_LIFETIME_MS);
      if (next !== null) session.set('next', next);
      return storage.commitSession(session, options);
    },
  };
}

export type DiscordCallback =
  | { kind: 'profile'; profile: DiscordProfile; next: string | null }
  /** The state is missing, expired, or belongs to another browser. */
  | { kind: 'invalid_state' }
  | { kind: 'failed'; error: unknown };

export interface DiscordOAuth {
  /** The redirect to Discord; its cookie binds the sign-in to this browser. `next`: the path to open afterwards. */
  authorize(options: { next: string | null }): Promise<Response>;
  /** Reads the profile of the user who returned from Discord. */
  callback(request: Request): Promise<DiscordCallback>;
  /** The Set-Cookie that deletes the state. */
  clearState(request: Request): Promise<string>;
}

/**
 * Discord’s OAuth flow. `appUrl` is the public base of the site; `appUrl/auth/discord/callback` must be among the redirect
 * URIs of the Discord application.
 */
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
  const state = { clock, secure: appUrl.startsWith('https:'), secrets: cookieSecrets };
  const storage = stateStorage(state);
  const authenticatorWith = (sessions: SessionStorage) =>
    new Authenticator<DiscordProfile>(sessions, { throwOnError: true }).use(
      new PackwatchDiscordStrategy(oauth, callbackUrl, dispatcher),
    );

  return {
    async authorize({ next }) {
      try {
        // For any URL except the callback the strategy throws its redirect.
        await authenticatorWith(stateStorage({ ...state, next })).authenticate(
          'discord',
          new Request(appUrl),
        );
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
      throw new Error('the strategy did not redirect to Discord');
    },
    async callback(request) {
      const address = new URL(callbackUrl);
      address.search = new URL(request.url).search;
      const cookie = request.headers.get('Cookie');
      const returned = new Request(address, { headers: { Cookie: cookie ?? '' } });
      try {
        const profile = await authenticatorWith(storage).authenticate('discord', returned);
        const next: unknown = (await storage.getSession(cookie)).get('next');
        return { kind: 'profile', profile, next: typeof next === 'string' ? next : null };
      } catch (thrown) {
        if (!(thrown instanceof AuthorizationError)) throw thrown;
        // The error has its reason only in the message (remix-auth-oauth2, `authenticate`).
        if (/state/i.test(thrown.message)) return { kind: 'invalid_state' };
        return { kind: 'failed', error: thrown.cause };
      }
    },
    async clearState(request) {
      return storage.destroySession(await storage.getSession(request.headers.get('Cookie')));
    },
  };
}
