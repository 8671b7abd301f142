import { signInWithDiscord } from '#shared/accounts/sign-in-with-discord';
import { MINUTE, SECOND } from '#shared/clock';
import { DomainError } from '#shared/errors';
import { openDiscordDoor, type DiscordDoor } from './discord-strategy.server';
import { asNextPath, withNext } from '~/components/account/next-path';
import { commitPending } from './pending-login.server';
import { clientUse } from './rate-limits.server';
import { serverContext } from '../server/context.server';
import { openSecondSession } from './session.server';
import { browserKeyOf, keepSignedIn, nextOfRequest } from './login.server';

/** What the error page is told. */
export type DiscordErrorReason =
  | 'access_denied'
  | 'email_unverified'
  | 'invalid_state'
  | 'server_error'
  | 'not_configured'
  | 'mail_unavailable'
  | 'rate_limited'
  | 'code_too_soon';

const REASON_OF_REFUSAL: Record<string, DiscordErrorReason> = {
  discord_email_unverified: 'email_unverified',
  mail_unavailable: 'mail_unavailable',
  rate_limited: 'rate_limited',
  code_too_soon: 'code_too_soon',
};

function leadTo(path: string, headers = new Headers()): Response {
  headers.set('Location', path);
  headers.set('Cache-Control', 'no-store');
  return new Response(null, { status: 302, headers });
}

function leadToError(reason: DiscordErrorReason, headers?: Headers): Response {
  return leadTo(`/auth/discord/error?reason=${reason}`, headers);
}

function findDoor(): DiscordDoor | null {
  const { config, clock, keyring } = serverContext();
  const { oauth } = config.discord;
  if (oauth === null) return null;
  return openDiscordDoor({ oauth, appUrl: config.appUrl, clock, cookieSecrets: keyring.cookieSecrets });
}

/** Expected refusals as a reason; anything else is logged, without a word of what Discord said. */
function reasonOf(error: unknown): DiscordErrorReason {
  const { log } = serverContext();
  if (error instanceof DomainError) {
    log.warn({ refusal: error.code }, 'Discord sign-in refused');
    return REASON_OF_REFUSAL[error.code] ?? 'server_error';
  }
  log.error({ err: error }, 'Discord sign-in failed');
  return 'server_error';
}

/** To the error page, with when the next code can be sent if that is what the sign-in waits for. */
function leadToRefusal(error: unknown, request: Request, headers?: Headers): Response {
  const reason = reasonOf(error);
  const answer = leadToError(reason, headers);
  if (reason === 'code_too_soon' && error instanceof DomainError) {
    const minutes = Math.ceil(((error.retryAfterSeconds ?? 0) * SECOND) / MINUTE);
    answer.headers.set('Location', `${answer.headers.get('Location')}&minutes=${minutes}`);
  }
  return answer;
}

/**
 * Sends a browser to Discord: a redirect, to the error page when that cannot be. `?next=` names the own path that the
 * sign-in leads to.
 */
export async function startDiscord(request: Request): Promise<Response> {
  const door = findDoor();
  if (door === null) return leadToError('not_configured');
  try {
    await serverContext().limits.take([clientUse('discord')]);
    const away = await door.leave({ next: nextOfRequest(request) });
    away.headers.set('Cache-Control', 'no-store');
    return away;
  } catch (error) {
    return leadToError(reasonOf(error));
  }
}

/** Whether this state comes back for the first time: a cookie that was copied cannot use it again. */
async function isFirstReturn(state: string): Promise<boolean> {
  try {
    await serverContext().limits.take([{ limit: 'discordState', key: state }]);
    return true;
  } catch (error) {
    if (error instanceof DomainError && error.kind === 'RateLimited') return false;
    throw error;
  }
}

/** Signs in whoever came back from Discord, and says where the browser goes next. */
async function enter(door: DiscordDoor, request: Request, headers: Headers): Promise<Response> {
  const { searchParams } = new URL(request.url);
  const denied = searchParams.get('error');
  if (denied !== null) return leadToError(denied === 'access_denied' ? denied : 'server_error', headers);

  const context = serverContext();
  await context.limits.take([clientUse('discord')]);
  if (!(await isFirstReturn(searchParams.get('state') ?? ''))) return leadToError('invalid_state', headers);
  const returned = await door.comeBack(request);
  if (returned.is === 'stray') return leadToError('invalid_state', headers);
  if (returned.is === 'failed') {
    context.log.warn({ err: returned.fault }, 'Discord sign-in failed');
    return leadToError('server_error', headers);
  }
  const browserKey = await browserKeyOf(request);
  const next = asNextPath(returned.next);
  const outcome = await signInWithDiscord(context, {
    profile: returned.profile,
    browserKey,
    userAgent: request.headers.get('User-Agent'),
  });
  if (outcome.kind === 'verify') {
    await commitPending(headers, { email: outcome.email, browserKey, next });
    return leadTo('/login?step=verify', headers);
  }
  for (const cookie of (await keepSignedIn(request, outcome)).getSetCookie())
    headers.append('Set-Cookie', cookie);
  const second = await openSecondSession(request, outcome.session);
  return leadTo(withNext(`/auth/discord/success?token=${second}`, next), headers);
}

/** The way back from Discord: always a redirect. The state that bound it to this browser is used up, come what may. */
export async function finishDiscord(request: Request): Promise<Response> {
  const door = findDoor();
  if (door === null) return leadToError('not_configured');
  const headers = new Headers();
  headers.append('Set-Cookie', await door.forget(request));
  try {
    return await enter(door, request, headers);
  } catch (error) {
    return leadToRefusal(error, request, headers);
  }
}
