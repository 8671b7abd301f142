import { signInWithDiscord } from '#shared/accounts/discord/sign-in-with-discord';
import { MINUTE, SECOND } from '#shared/clock';
import { DomainError, isRateLimit } from '#shared/errors';
import type { DiscordOAuth } from './discord-oauth.server';
import { asNextPath, withNext } from '#shared/site/paths';
import { commitPending } from './pending-login.server';
import { clientUse } from '../server/rate-limits.server';
import { serverContext } from '../server/context.server';
import { readEarlierSignIns } from './earlier-sign-ins.server';
import { noteSignedIn, SIGN_IN_REFUSED } from './sign-in-log.server';
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

/** Logs an error and returns its reason. The log contains no part of Discord’s responses. */
function logReason(error: unknown): DiscordErrorReason {
  const { log } = serverContext();
  if (error instanceof DomainError) {
    log.warn({ way: 'discord', refusal: error.code }, SIGN_IN_REFUSED);
    return REASON_OF_REFUSAL[error.code] ?? 'server_error';
  }
  log.error({ err: error }, 'Discord sign-in failed');
  return 'server_error';
}

/** Logs an error and redirects to the error page; for `code_too_soon` with the minutes until the next code. */
function redirectToRefusal(error: unknown, cause: { headers: Headers; next: string | null }): Response {
  const reason = logReason(error);
  const response = redirectToError(reason, cause);
  if (reason === 'code_too_soon' && error instanceof DomainError) {
    const minutes = Math.ceil(((error.retryAfterSeconds ?? 0) * SECOND) / MINUTE);
    response.headers.set('Location', `${response.headers.get('Location')}&minutes=${minutes}`);
  }
  return response;
}

/** Redirects to Discord, or to the error page. `?next=` is the path of this site to open after the sign-in. */
export async function startDiscordLogin(request: Request): Promise<Response> {
  const discord = await findDiscordOAuth();
  if (discord === null) return redirectToError('not_configured');
  try {
    const { limits, serverJoins } = serverContext();
    await limits.take([clientUse('discord')]);
    const redirect = await discord.authorize(request, {
      next: nextOfRequest(request),
      asksToJoin: await serverJoins.asksToJoin(),
    });
    redirect.headers.set('Cache-Control', 'no-store');
    return redirect;
  } catch (error) {
    return redirectToError(logReason(error), { next: nextOfRequest(request) });
  }
}

/** Whether this state is used for the first time, so that a copied cookie cannot replay it. */
async function isFirstUse(state: string): Promise<boolean> {
  try {
    await serverContext().limits.take([{ limit: 'discordState', key: state }]);
    return true;
  } catch (error) {
    if (isRateLimit(error)) return false;
    throw error;
  }
}

/** Refuses a used, expired or foreign state. A signed-in browser is redirected to its page: it has returned again. */
async function refuseState(
  request: Request,
  cause: { headers: Headers; next: string | null },
): Promise<Response> {
  if ((await findViewer(request)) !== null) return redirectTo(cause.next ?? '/dashboard', cause.headers);
  serverContext().log.warn({ way: 'discord', refusal: 'invalid_state' }, SIGN_IN_REFUSED);
  return redirectToError('invalid_state', cause);
}

/** Signs in the user who returned from Discord, and redirects to the next page. */
async function signIn(
  discord: DiscordOAuth,
  request: Request,
  { headers, next }: { headers: Headers; next: string | null },
): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const denied = searchParams.get('error');
  if (denied !== null)
    return redirectToError(denied === 'access_denied' ? denied : 'server_error', { headers, next });

  const context = serverContext();
  await context.limits.take([clientUse('discord')]);
  if (!(await isFirstUse(searchParams.get('state') ?? ''))) return refuseState(request, { headers, next });
  const returned = await discord.callback(request);
  if (returned.kind === 'invalid_state') return refuseState(request, { headers, next });
  if (returned.kind === 'failed') {
    context.log.warn({ err: returned.error }, 'Discord sign-in failed');
    return redirectToError('server_error', { headers, next });
  }
  const browserKey = await browserKeyOf(request);
  const outcome = await signInWithDiscord(context, {
    profile: returned.profile,
    browserKey,
    userAgent: request.headers.get('User-Agent'),
    earlierSignIns: await readEarlierSignIns(request),
  });
  const { joinToken } = returned;
  if (joinToken !== null)
    context.serverJoins.join({ discordId: returned.profile.id, accessToken: joinToken });
  if (outcome.kind === 'verify') {
    await commitPending(headers, { email: outcome.email, browserKey, byDiscord: true, next });
    return redirectTo('/login?step=verify', headers);
  }
  noteSignedIn('discord', outcome.account.id);
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
export async function finishDiscordLogin(request: Request): Promise<Response> {
  const discord = await findDiscordOAuth();
  if (discord === null) return redirectToError('not_configured');
  const headers = new Headers();
  headers.append('Set-Cookie', await discord.endState(request));
  const next = asNextPath(await discord.nextOfReturn(request));
  try {
    return await signIn(discord, request, { headers, next });
  } catch (error) {
    return redirectToRefusal(error, { headers, next });
  }
}
