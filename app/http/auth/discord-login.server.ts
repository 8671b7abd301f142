import { invalidDiscordState, type signInOperations } from '#shared/accounts/sign-in-operations';
import { MINUTE, SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import type { ServerJoins } from '#shared/role-sync/join-server.server';
import type { DiscordOAuth } from './discord-oauth.server';
import { asNextPath, withNext } from '#shared/site/paths';
import { commitPending } from './pending-login.server';
import { serverContext } from '../server/context.server';
import type { PerformOf } from './run-operation.server';
import { createLocalStorageSession, findViewer } from './session.server';
import { browserKeyOf, commitSignIn, nextOfRequest } from './login.server';

/** Why a sign-in failed, for the error page. */
type DiscordErrorReason =
  | 'access_denied'
  | 'email_unverified'
  | 'invalid_state'
  | 'server_error'
  | 'not_configured'
  | 'mail_unavailable'
  | 'rate_limited'
  | 'code_too_soon'
  | 'account_disabled'
  | 'account_closing';

const REASON_OF_REFUSAL: Record<string, DiscordErrorReason> = {
  invalid_state: 'invalid_state',
  discord_email_unverified: 'email_unverified',
  mail_unavailable: 'mail_unavailable',
  rate_limited: 'rate_limited',
  code_too_soon: 'code_too_soon',
  account_disabled: 'account_disabled',
  account_closing: 'account_closing',
};

function redirectTo(path: string, headers = new Headers()): Response {
  headers.set('Location', path);
  headers.set('Cache-Control', 'no-store');
  return new Response(null, { status: 302, headers });
}

/** Redirects to the error page. `next`: the path that a new sign-in opens afterwards. */
function redirectToError(
  reason: DiscordErrorReason,
  { headers, next = null }: { headers?: Headers; next?: string | null } = {},
): Response {
  return redirectTo(withNext(`/auth/discord/error?reason=${reason}`, next), headers);
}

/** Null without Discord. The first sign-in loads the strategy and undici, so that the process starts without them. */
async function findDiscordOAuth(): Promise<DiscordOAuth | null> {
  const { config, clock, keyring } = serverContext();
  const { oauth } = config.discord;
  if (oauth === null) return null;
  const { createDiscordOAuth } = await import('./discord-oauth.server');
  return createDiscordOAuth({ oauth, appUrl: config.appUrl, clock, cookieSecrets: keyring.cookieSecrets });
}

/** The reason of an error. A refusal is in the log already; the log contains no part of Discord’s responses. */
function reasonOf(error: unknown): DiscordErrorReason {
  if (error instanceof DomainError) return REASON_OF_REFUSAL[error.code] ?? 'server_error';
  serverContext().log.error({ err: error }, 'Discord sign-in failed');
  return 'server_error';
}

/**
 * Redirects to the error page; for `code_too_soon` with the minutes until the next code. With a state that is used, expired or
 * foreign, a signed-in browser is redirected to its page: it has returned again.
 */
async function redirectToRefusal(
  request: Request,
  error: unknown,
  cause: { headers: Headers; next: string | null },
): Promise<Response> {
  const reason = reasonOf(error);
  if (reason === 'invalid_state' && (await findViewer(request)) !== null)
    return redirectTo(cause.next ?? '/dashboard', cause.headers);
  const response = redirectToError(reason, cause);
  if (reason === 'code_too_soon' && error instanceof DomainError) {
    const minutes = Math.ceil(((error.retryAfterSeconds ?? 0) * SECOND) / MINUTE);
    response.headers.set('Location', `${response.headers.get('Location')}&minutes=${minutes}`);
  }
  return response;
}

/** Redirects to Discord, or to the error page. `?next=` is the path of this site to open after the sign-in. */
export async function startDiscordLogin(
  perform: PerformOf<typeof signInOperations.startDiscord>,
  request: Request,
): Promise<Response> {
  const discord = await findDiscordOAuth();
  if (discord === null) return redirectToError('not_configured');
  const next = nextOfRequest(request);
  try {
    const { result: asksToJoin } = await perform({});
    const redirect = await discord.authorize(request, { next, asksToJoin });
    redirect.headers.set('Cache-Control', 'no-store');
    return redirect;
  } catch (error) {
    return redirectToError(reasonOf(error), { next });
  }
}

/** Reads who returned from Discord. Throws `Invalid` `invalid_state`, and `BadGateway` for a failure of Discord. */
async function readReturned(discord: DiscordOAuth, request: Request) {
  const returned = await discord.callback(request);
  if (returned.kind === 'profile') return returned;
  if (returned.kind === 'invalid_state') throw invalidDiscordState();
  throw new DomainError('BadGateway', {
    code: 'discord_failed',
    message: 'Discord did not answer as expected. Please try again.',
    cause: returned.error,
  });
}

type PerformDiscord = PerformOf<typeof signInOperations.discord>;

/** Signs in the user who returned from Discord, and redirects to the next page. */
async function signIn(
  perform: PerformDiscord,
  discord: DiscordOAuth,
  request: Request,
  { headers, next }: { headers: Headers; next: string | null },
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const denied = searchParams.get('error');
  if (denied !== null)
    return redirectToError(denied === 'access_denied' ? denied : 'server_error', { headers, next });

  const browserKey = await browserKeyOf(request);
  let join: Parameters<ServerJoins['join']>[0] | null = null;
  const { result: outcome } = await perform({
    state: searchParams.get('state') ?? '',
    browserKey,
    async readProfile() {
      const { profile, joinToken } = await readReturned(discord, request);
      if (joinToken !== null) join = { discordId: profile.id, accessToken: joinToken };
      return profile;
    },
  });
  if (join !== null) serverContext().serverJoins.join(join);
  if (outcome.kind === 'verify') {
    await commitPending(headers, { email: outcome.email, browserKey, byDiscord: true, next });
    return redirectTo('/login?step=verify', headers);
  }
  for (const cookie of (await commitSignIn(request, outcome)).getSetCookie())
    headers.append('Set-Cookie', cookie);
  const localToken = await createLocalStorageSession(request, outcome.session);
  return redirectTo(withNext(`/auth/discord/success?token=${localToken}`, next), headers);
}

/** The path to open after the sign-in that returned from Discord; null for the dashboard. */
export async function nextOfDiscordReturn(request: Request): Promise<string | null> {
  const discord = await findDiscordOAuth();
  return asNextPath((await discord?.nextOfReturn(request)) ?? null);
}

/** Handles the callback from Discord and redirects. It always ends the returned state, and no other. */
export async function finishDiscordLogin(perform: PerformDiscord, request: Request): Promise<Response> {
  const discord = await findDiscordOAuth();
  if (discord === null) return redirectToError('not_configured');
  const headers = new Headers();
  headers.append('Set-Cookie', await discord.endState(request));
  const next = asNextPath(await discord.nextOfReturn(request));
  try {
    return await signIn(perform, discord, request, { headers, next });
  } catch (error) {
    return redirectToRefusal(request, error, { headers, next });
  }
}
