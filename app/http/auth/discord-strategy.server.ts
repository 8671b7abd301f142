import { createCookieSessionStorage, type SessionStorage } from '@remix-run/node';
import { Authenticator, AuthorizationError } from 'remix-auth';
import {
  DiscordStrategy,
  type DiscordExtraParams,
  type DiscordProfile as RawProfile,
} from 'remix-auth-discord';
import { z } from 'zod';
import type { DiscordProfile } from '#shared/accounts/sign-in-with-discord';
import { MINUTE, SECOND, type Clock } from '#shared/clock';
import type { DiscordOAuthConfig } from '#shared/config.server';

/** How long somebody may take at Discord. */
const STATE_LASTS_MS = 10 * MINUTE;
const DISCORD_TIMEOUT_MS = 10 * SECOND;

/** Discord docs, "User Resource", User Object: without the `email` scope, or without an address, `email` is missing or null. */
const userSchema = z.object({
  id: z.string().regex(/^\d{1,20}$/),
  username: z.string(),
  global_name: z.string().nullish(),
  avatar: z.string().nullish(),
  email: z.string().nullish(),
  verified: z.boolean().nullish(),
});

const tokenSchema = z.object({ access_token: z.string().min(1), scope: z.string().default('') });

/** Discord did not give what the sign-in needs. Says nothing that Discord said: tokens and codes may be in it. */
export class DiscordFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DiscordFault';
  }
}

async function readAnswer<Schema extends z.ZodType>(
  response: Response,
  schema: Schema,
  what: string,
): Promise<z.output<Schema>> {
  if (!response.ok) throw new DiscordFault(`Discord answered ${response.status} when asked for ${what}`);
  const parsed = schema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new DiscordFault(`Discord’s answer when asked for ${what} cannot be read`);
  return parsed.data;
}

/** The strategy with addresses from the configuration, time limits, and answers that are checked before they are believed. */
class OurDiscordStrategy extends DiscordStrategy<DiscordProfile> {
  readonly #config: DiscordOAuthConfig;

  constructor(config: DiscordOAuthConfig, callbackURL: string) {
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
    this.authorizationURL = config.authorizeUrl;
    this.tokenURL = `${config.apiUrl}/oauth2/token`;
  }

  protected override async fetchAccessToken(
    code: string,
    params: URLSearchParams,
  ): Promise<{ accessToken: string; refreshToken: string; extraParams: DiscordExtraParams }> {
    params.set('code', code);
    const { clientId, clientSecret } = this.#config;
    // RFC 6749, section 2.3.1: both are form-encoded first.
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const credentials = Buffer.from(pair).toString('base64');
    const response = await fetch(this.tokenURL, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: params,
      redirect: 'error',
      signal: AbortSignal.timeout(DISCORD_TIMEOUT_MS),
    });
    const { access_token } = await readAnswer(response, tokenSchema, 'a token');
    return {
      accessToken: access_token,
      refreshToken: '',
      extraParams: { expires_in: 604_800, token_type: 'Bearer', scope: [] },
    };
  }

  protected override async userProfile(accessToken: string): Promise<RawProfile> {
    const response = await fetch(`${this.#config.apiUrl}/users/@me`, {
      headers: { Authorization: `Bearer ${accessToken}` },
      redirect: 'error',
      signal: AbortSignal.timeout(DISCORD_TIMEOUT_MS),
    });
    const user = await readAnswer(response, userSchema, 'the user');
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

/**
 * Holds the `state` between the way to Discord and the way back, and `next`, where the sign-in leads; what is older than
 * ten minutes is not there.
 */
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
      maxAge: STATE_LASTS_MS / SECOND,
    },
  });
  return {
    ...storage,
    async getSession(cookieHeader, options) {
      const session = await storage.getSession(cookieHeader, options);
      const until: unknown = session.get('until');
      const isGood = typeof until === 'number' && clock.now() < until;
      return isGood ? session : storage.getSession(null, options);
    },
    commitSession(session, options) {
      session.set('until', clock.now() + STATE_LASTS_MS);
      if (next !== null) session.set('next', next);
      return storage.commitSession(session, options);
    },
  };
}

export type DiscordReturn =
  | { is: 'known'; profile: DiscordProfile; next: string | null }
  /** The state is missing, somebody else's, or too old. */
  | { is: 'stray' }
  | { is: 'failed'; fault: unknown };

export interface DiscordDoor {
  /** The redirect to Discord, which binds the sign-in to this browser. `next`: the own path that the sign-in leads to. */
  leave(options: { next: string | null }): Promise<Response>;
  /** What came of it. */
  comeBack(request: Request): Promise<DiscordReturn>;
  /** The Set-Cookie that forgets the state. */
  forget(request: Request): Promise<string>;
}

/** The way to Discord and back. `appUrl` is the public base; Discord must have `appUrl/auth/discord/callback` on its list. */
export function openDiscordDoor({
  oauth,
  appUrl,
  clock,
  cookieSecrets,
}: {
  oauth: DiscordOAuthConfig;
  appUrl: string;
  clock: Clock;
  cookieSecrets: string[];
}): DiscordDoor {
  const callbackUrl = `${appUrl}/auth/discord/callback`;
  const state = { clock, secure: appUrl.startsWith('https:'), secrets: cookieSecrets };
  const storage = stateStorage(state);
  const authenticatorOver = (sessions: SessionStorage) =>
    new Authenticator<DiscordProfile>(sessions, { throwOnError: true }).use(
      new OurDiscordStrategy(oauth, callbackUrl),
    );

  return {
    async leave({ next }) {
      try {
        // Any address but the callback's makes the strategy throw its redirect.
        await authenticatorOver(stateStorage({ ...state, next })).authenticate(
          'discord',
          new Request(appUrl),
        );
      } catch (thrown) {
        if (thrown instanceof Response) return thrown;
        throw thrown;
      }
      throw new Error('the strategy did not redirect to Discord');
    },
    async comeBack(request) {
      const address = new URL(callbackUrl);
      address.search = new URL(request.url).search;
      const returned = new Request(address, { headers: { Cookie: request.headers.get('Cookie') ?? '' } });
      try {
        const profile = await authenticatorOver(storage).authenticate('discord', returned);
        const next: unknown = (await storage.getSession(request.headers.get('Cookie'))).get('next');
        return { is: 'known', profile, next: typeof next === 'string' ? next : null };
      } catch (thrown) {
        if (!(thrown instanceof AuthorizationError)) throw thrown;
        // The strategy tells its reasons only by their words (remix-auth-oauth2, `authenticate`).
        if (/state/i.test(thrown.message)) return { is: 'stray' };
        return { is: 'failed', fault: thrown.cause };
      }
    },
    async forget(request) {
      return storage.destroySession(await storage.getSession(request.headers.get('Cookie')));
    },
  };
}
