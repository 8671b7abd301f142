import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createFaultQueue, faultLife } from '../fault-queue';
import {
  respond,
  respondHtml,
  respondJson,
  createApp,
  hang,
  redirect,
  type RequestContext,
} from '../http/app';
import { createRecentList, type Changes, type Service } from '../service';
import { drawAuthorize, drawRefusal } from './draw-authorize';
import { drawAvatar } from './draw-avatar';
import { createPersonas, NEW_MEMBER, toUserObject, type Persona } from './personas';
import { createSnowflakes } from './snowflake';

/** The only registered application. */
export const OAUTH_CLIENT = { id: '150000000000000099', secret: 'sandbox-client-secret' } as const;
/** A redirect URI is valid if it has this path; the sandbox does not know the site's origin. */
const REDIRECT_PATH = '/auth/discord/callback';
const KNOWN_SCOPES = ['identify', 'email', 'guilds', 'guilds.join'];
/** Discord docs, "OAuth2": a code lives for ten minutes, a token for a week. */
const CODE_LIFETIME_MS = 10 * 60_000;
const TOKEN_LIFETIME_MS = 604_800_000;
const MAX_REQUESTS = 1_000;
/** Largest size of an avatar, in pixels. */
const AVATAR_SIZE = 128;

/** A fault of the sign-in: the token call, the user call or the avatar fails with a status, hangs or sends garbage. */
export const oauthFaultSchema = z.strictObject({
  at: z.enum(['token', 'user', 'avatar']),
  kind: z.enum(['status', 'hang', 'garbage']).default('status'),
  status: z.int().min(400).max(599).default(500),
  ...faultLife,
});
export type OauthFault = z.infer<typeof oauthFaultSchema>;

interface Grant {
  persona: Persona;
  scopes: string[];
  until: number;
}

/** One request to the token call, to the user call or for an avatar. */
export interface OauthRequest {
  receivedAt: number;
  path: string;
  status: number | null;
}

interface AuthorizeRequest {
  redirectUri: URL;
  state: string | null;
  scopes: string[];
}

function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, hash } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === REDIRECT_PATH && hash === '';
}

/** Parses the application's authorize request, or returns Discord's error message. */
function readAuthorizeRequest({ searchParams }: URL): AuthorizeRequest | { refusal: string } {
  const redirectUri = searchParams.get('redirect_uri') ?? '';
  const scopes = (searchParams.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (searchParams.get('client_id') !== OAUTH_CLIENT.id) return { refusal: 'Unknown Application' };
  if (!isRedirectUri(redirectUri)) return { refusal: 'Invalid OAuth2 redirect_uri' };
  if (searchParams.get('response_type') !== 'code') return { refusal: 'Invalid OAuth2 response_type' };
  if (scopes.length === 0 || scopes.some((scope) => !KNOWN_SCOPES.includes(scope)))
    return { refusal: 'Invalid OAuth2 scope' };
  return { redirectUri: new URL(redirectUri), state: searchParams.get('state'), scopes };
}

/** Checks the client's credentials: HTTP Basic, or id and secret in the form (RFC 6749, section 2.3.1). */
function isClient(authorization: string | undefined, fields: URLSearchParams): boolean {
  const basic = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  const [id, secret] =
    basic === undefined
      ? [fields.get('client_id'), fields.get('client_secret')]
      : Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent);
  return id === OAUTH_CLIENT.id && secret === OAUTH_CLIENT.secret;
}

/** Discord's OAuth2 sign-in: the consent page, the token call, the user call and avatars. */
export function createDiscordOauth(changes: Changes) {
  const personas = createPersonas(createSnowflakes());
  const faults = createFaultQueue<OauthFault>();
  const codes = new Map<string, Grant & { redirectUri: string }>();
  const tokens = new Map<string, Grant>();
  const requests = createRecentList<OauthRequest>(MAX_REQUESTS);

  function showAuthorize({ var: { url } }: RequestContext): Response {
    const request = readAuthorizeRequest(url);
    if ('refusal' in request) return respondHtml(400, drawRefusal(request.refusal).markup);
    const people = [
      ...personas.list().map(({ key, label, username, email }) => ({
        key,
        label,
        note: [username, email ?? 'no email'].join(', '),
      })),
      { ...NEW_MEMBER, note: 'has no account yet' },
    ];
    const markup = drawAuthorize(people, {
      query: url.searchParams.toString(),
      scopes: request.scopes,
      returnsTo: request.redirectUri.origin,
    }).markup;
    return respondHtml(200, markup, { 'cache-control': 'no-store' });
  }

  async function decide({ req, var: { url } }: RequestContext): Promise<Response> {
    const fields = new URLSearchParams(await req.text());
    const request = readAuthorizeRequest(url);
    if ('refusal' in request) return respondHtml(400, drawRefusal(request.refusal).markup);
    const { redirectUri, state, scopes } = request;
    const parameters = redirectUri.searchParams;
    const key = fields.get('persona') ?? '';
    const persona = personas.find(key);
    if (key === 'deny') {
      parameters.set('error', 'access_denied');
      parameters.set('error_description', 'The resource owner or authorization server denied the request');
    } else if (persona === undefined) {
      return respondHtml(400, drawRefusal('There is no such persona').markup);
    } else {
      const code = randomBytes(15).toString('base64url');
      const registered = url.searchParams.get('redirect_uri') ?? '';
      codes.set(code, { persona, scopes, redirectUri: registered, until: Date.now() + CODE_LIFETIME_MS });
      parameters.set('code', code);
    }
    if (state !== null) parameters.set('state', state);
    return redirect(302, redirectUri.href);
  }

  /** Records the request. `faulty` is the response of a pending fault, or null. */
  function record(
    { var: { arrivedAt, url } }: RequestContext,
    at: OauthFault['at'],
  ): { request: OauthRequest; faulty: Promise<Response> | Response | null } {
    const request: OauthRequest = { receivedAt: arrivedAt, path: url.pathname, status: null };
    requests.add(request);
    changes.mark();
    const fault = faults.take((candidate) => candidate.at === at);
    if (fault === undefined) return { request, faulty: null };
    if (fault.kind === 'hang') return { request, faulty: hang() };
    request.status = fault.kind === 'garbage' ? 200 : fault.status;
    const faulty =
      fault.kind === 'garbage'
        ? respondHtml(200, '<html>One moment please</html>')
        : respondJson(fault.status, { message: `${fault.status}: Refused`, code: 0 });
    return { request, faulty };
  }

  async function issueToken(context: RequestContext): Promise<Response> {
    const { req } = context;
    const fields = new URLSearchParams(await req.text());
    const { request, faulty } = record(context, 'token');
    if (faulty !== null) return faulty;
    const send = (status: number, value: unknown) => {
      request.status = status;
      return respondJson(status, value, { 'cache-control': 'no-store' });
    };
    if (!/^application\/x-www-form-urlencoded\b/i.test(req.header('content-type') ?? ''))
      return send(400, { error: 'invalid_request', error_description: 'Expected a form-encoded body.' });
    if (!isClient(req.header('authorization'), fields)) return send(401, { error: 'invalid_client' });
    if (fields.get('grant_type') !== 'authorization_code')
      return send(400, { error: 'unsupported_grant_type' });

    const code = fields.get('code') ?? '';
    const grant = codes.get(code);
    // A code is valid once, even when the request for a token fails.
    codes.delete(code);
    if (grant === undefined || grant.until <= Date.now())
      return send(400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' });
    if (fields.get('redirect_uri') !== grant.redirectUri)
      return send(400, { error: 'invalid_grant', error_description: 'Invalid "redirect_uri" in request.' });

    const token = randomBytes(22).toString('base64url');
    tokens.set(token, { ...grant, until: Date.now() + TOKEN_LIFETIME_MS });
    return send(200, {
      token_type: 'Bearer',
      access_token: token,
      expires_in: TOKEN_LIFETIME_MS / 1_000,
      refresh_token: randomBytes(22).toString('base64url'),
      scope: grant.scopes.join(' '),
    });
  }

  function showUser(context: RequestContext): Promise<Response> | Response {
    const { request, faulty } = record(context, 'user');
    if (faulty !== null) return faulty;
    const token = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? '';
    const grant = tokens.get(token);
    const isKnown = grant !== undefined && grant.until > Date.now() && grant.scopes.includes('identify');
    request.status = isKnown ? 200 : 401;
    return isKnown
      ? respondJson(200, toUserObject(grant.persona, grant.scopes))
      : respondJson(401, { message: '401: Unauthorized', code: 0 });
  }

  /** Serves an avatar by its owner and current hash (Discord docs, "Reference › CDN Endpoints"). */
  function showAvatar(context: RequestContext): Promise<Response> | Response {
    const { request, faulty } = record(context, 'avatar');
    if (faulty !== null) return faulty;
    const { user, file } = context.req.param() as Record<string, string>;
    const owner = personas
      .list()
      .find(({ id, avatar }) => id === user && avatar != null && `${avatar}.png` === file);
    request.status = owner?.avatar == null ? 404 : 200;
    if (owner?.avatar == null) return respondJson(404, { message: '404: Not Found', code: 0 });
    const size = Number(context.var.url.searchParams.get('size') ?? AVATAR_SIZE);
    return respond(
      200,
      { 'content-type': 'image/png' },
      drawAvatar(owner.avatar, Math.min(size, AVATAR_SIZE)),
    );
  }

  const app = createApp();
  app.get('/oauth2/authorize', showAuthorize);
  app.post('/oauth2/authorize', decide);
  app.post('/api/v10/oauth2/token', issueToken);
  app.get('/api/v10/users/@me', showUser);
  app.get('/avatars/:user/:file', showAvatar);

  const service: Service = {
    name: 'oauth',
    app,
    state: () => ({ personas: personas.list(), faults: faults.list() }),
    reset() {
      personas.reset();
      faults.set([]);
      codes.clear();
      tokens.clear();
      requests.clear();
      changes.mark();
    },
  };

  return {
    service,
    personas: personas.list,
    /** The user of a token with the scope `guilds.join`. */
    joining(token: string): Persona | null {
      const grant = tokens.get(token);
      const mayJoin = grant !== undefined && grant.until > Date.now() && grant.scopes.includes('guilds.join');
      return mayJoin ? grant.persona : null;
    },
    putPersona(persona: Persona): Persona {
      changes.mark();
      return personas.put(persona);
    },
    requests: requests.list,
    faults: faults.list,
    setFaults(next: readonly OauthFault[]): void {
      faults.set(next);
      changes.mark();
    },
  };
}
