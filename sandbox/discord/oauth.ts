import { randomBytes } from 'node:crypto';
import { createFaultQueue } from '../fault-queue';
import { answer, answerHtml, answerJson, readBody, redirect, type Exchange } from '../http/exchange';
import type { Route } from '../http/router';
import { createRecentList } from '../recent-list';
import type { Changes, Service } from '../service';
import { drawAuthorize, drawRefusal } from './draw-authorize';
import { drawAvatar } from './draw-avatar';
import type { OauthFault } from './oauth-fault';
import { createPersonas, NEW_MEMBER, toUserObject, type Persona } from './personas';
import { createSnowflakes } from './snowflake';

/** The one application that is registered here. */
export const OAUTH_CLIENT = { id: '150000000000000099', secret: 'sandbox-client-secret' } as const;
/** Registered redirect URIs end in this; the site's address is not known here. */
const REDIRECT_PATH = '/auth/discord/callback';
const KNOWN_SCOPES = ['identify', 'email', 'guilds'];
/** Discord docs, "OAuth2": a code lives for ten minutes, a token for a week. */
const CODE_LASTS_MS = 10 * 60_000;
const TOKEN_LASTS_MS = 604_800_000;
const KEPT_REQUESTS = 1_000;
/** Pixels; no picture here is larger. */
const AVATAR_SIZE = 128;

interface Grant {
  persona: Persona;
  scopes: string[];
  until: number;
}

/** One request to the token call, the user call or for a picture. */
export interface OauthRequest {
  receivedAt: number;
  path: string;
  status: number | null;
}

interface Ask {
  redirectUri: URL;
  state: string | null;
  scopes: string[];
}

function isRedirectUri(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, hash } = new URL(text);
  return /^https?:$/.test(protocol) && pathname === REDIRECT_PATH && hash === '';
}

/** The application's request, or what Discord says when it is at fault (its own words). */
function readAsk({ searchParams }: URL): Ask | { refusal: string } {
  const redirectUri = searchParams.get('redirect_uri') ?? '';
  const scopes = (searchParams.get('scope') ?? '').split(' ').filter((scope) => scope !== '');
  if (searchParams.get('client_id') !== OAUTH_CLIENT.id) return { refusal: 'Unknown Application' };
  if (!isRedirectUri(redirectUri)) return { refusal: 'Invalid OAuth2 redirect_uri' };
  if (searchParams.get('response_type') !== 'code') return { refusal: 'Invalid OAuth2 response_type' };
  if (scopes.length === 0 || scopes.some((scope) => !KNOWN_SCOPES.includes(scope)))
    return { refusal: 'Invalid OAuth2 scope' };
  return { redirectUri: new URL(redirectUri), state: searchParams.get('state'), scopes };
}

/** Basic, or id and secret among the fields (RFC 6749, section 2.3.1). */
function isClient(authorization: string | undefined, fields: URLSearchParams): boolean {
  const basic = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  const [id, secret] =
    basic === undefined
      ? [fields.get('client_id'), fields.get('client_secret')]
      : Buffer.from(basic, 'base64').toString('utf8').split(':', 2).map(decodeURIComponent);
  return id === OAUTH_CLIENT.id && secret === OAUTH_CLIENT.secret;
}

/** Discord's way to sign in: the page where a person consents, the exchange of codes, and who somebody is. */
export function createDiscordOauth(changes: Changes) {
  const personas = createPersonas(createSnowflakes());
  const faults = createFaultQueue<OauthFault>();
  const codes = new Map<string, Grant & { redirectUri: string }>();
  const tokens = new Map<string, Grant>();
  const requests = createRecentList<OauthRequest>(KEPT_REQUESTS);

  function showAuthorize(exchange: Exchange): void {
    const ask = readAsk(exchange.url);
    if ('refusal' in ask) return answerHtml(exchange, 400, drawRefusal(ask.refusal).markup);
    const people = [
      ...personas.list().map(({ key, label, username, email }) => ({
        key,
        label,
        note: [username, email ?? 'no email'].join(', '),
      })),
      { ...NEW_MEMBER, note: 'nobody has seen them before' },
    ];
    const markup = drawAuthorize(people, {
      query: exchange.url.searchParams.toString(),
      scopes: ask.scopes,
      returnsTo: ask.redirectUri.origin,
    }).markup;
    answerHtml(exchange, 200, markup, { 'cache-control': 'no-store' });
  }

  async function decide(exchange: Exchange): Promise<void> {
    const fields = new URLSearchParams((await readBody(exchange)).toString('utf8'));
    const ask = readAsk(exchange.url);
    if ('refusal' in ask) return answerHtml(exchange, 400, drawRefusal(ask.refusal).markup);
    const { redirectUri, state, scopes } = ask;
    const answers = redirectUri.searchParams;
    const key = fields.get('persona') ?? '';
    const persona = personas.find(key);
    if (key === 'deny') {
      answers.set('error', 'access_denied');
      answers.set('error_description', 'The resource owner or authorization server denied the request');
    } else if (persona === undefined) {
      return answerHtml(exchange, 400, drawRefusal('There is no such person').markup);
    } else {
      const code = randomBytes(15).toString('base64url');
      const registered = exchange.url.searchParams.get('redirect_uri') ?? '';
      codes.set(code, { persona, scopes, redirectUri: registered, until: Date.now() + CODE_LASTS_MS });
      answers.set('code', code);
    }
    if (state !== null) answers.set('state', state);
    redirect(exchange, 302, redirectUri.href);
  }

  /** Notes the request and lets a waiting fault have it. Returns whether the call may answer as usual. */
  function admit(exchange: Exchange, at: OauthFault['at']): OauthRequest | null {
    const record: OauthRequest = {
      receivedAt: exchange.arrivedAt,
      path: exchange.url.pathname,
      status: null,
    };
    requests.add(record);
    changes.mark();
    const fault = faults.take((one) => one.at === at);
    if (fault === undefined) return record;
    if (fault.kind === 'hang') return null;
    record.status = fault.kind === 'garbage' ? 200 : fault.status;
    if (fault.kind === 'garbage') answerHtml(exchange, 200, '<html>One moment please</html>');
    else answerJson(exchange, fault.status, { message: `${fault.status}: Refused`, code: 0 });
    return null;
  }

  async function giveToken(exchange: Exchange): Promise<void> {
    const fields = new URLSearchParams((await readBody(exchange)).toString('utf8'));
    const record = admit(exchange, 'token');
    if (record === null) return;
    const say = (status: number, value: unknown) => {
      record.status = status;
      answerJson(exchange, status, value, { 'cache-control': 'no-store' });
    };
    const { headers } = exchange.req;
    if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
      return say(400, { error: 'invalid_request', error_description: 'Expected a form-encoded body.' });
    if (!isClient(headers.authorization, fields)) return say(401, { error: 'invalid_client' });
    if (fields.get('grant_type') !== 'authorization_code')
      return say(400, { error: 'unsupported_grant_type' });

    const code = fields.get('code') ?? '';
    const grant = codes.get(code);
    // Shown once, whatever comes of it.
    codes.delete(code);
    if (grant === undefined || grant.until <= Date.now())
      return say(400, { error: 'invalid_grant', error_description: 'Invalid "code" in request.' });
    if (fields.get('redirect_uri') !== grant.redirectUri)
      return say(400, { error: 'invalid_grant', error_description: 'Invalid "redirect_uri" in request.' });

    const token = randomBytes(22).toString('base64url');
    tokens.set(token, { ...grant, until: Date.now() + TOKEN_LASTS_MS });
    say(200, {
      token_type: 'Bearer',
      access_token: token,
      expires_in: TOKEN_LASTS_MS / 1_000,
      refresh_token: randomBytes(22).toString('base64url'),
      scope: grant.scopes.join(' '),
    });
  }

  function tellUser(exchange: Exchange): void {
    const record = admit(exchange, 'user');
    if (record === null) return;
    const token = /^Bearer (\S+)$/i.exec(exchange.req.headers.authorization ?? '')?.[1] ?? '';
    const grant = tokens.get(token);
    const isKnown = grant !== undefined && grant.until > Date.now() && grant.scopes.includes('identify');
    record.status = isKnown ? 200 : 401;
    if (isKnown) answerJson(exchange, 200, toUserObject(grant.persona, grant.scopes));
    else answerJson(exchange, 401, { message: '401: Unauthorized', code: 0 });
  }

  /** Discord docs, "Reference", CDN Endpoints. A picture is known by its owner and its present hash. */
  function showAvatar(exchange: Exchange): void {
    const record = admit(exchange, 'avatar');
    if (record === null) return;
    const { user, file } = exchange.params;
    const owner = personas
      .list()
      .find(({ id, avatar }) => id === user && avatar != null && `${avatar}.png` === file);
    record.status = owner?.avatar == null ? 404 : 200;
    if (owner?.avatar == null) return answerJson(exchange, 404, { message: '404: Not Found', code: 0 });
    const size = Number(exchange.url.searchParams.get('size') ?? AVATAR_SIZE);
    answer(
      exchange,
      200,
      { 'content-type': 'image/png' },
      drawAvatar(owner.avatar, Math.min(size, AVATAR_SIZE)),
    );
  }

  const routes: Route[] = [
    { method: 'GET', pattern: '/oauth2/authorize', handle: showAuthorize },
    { method: 'POST', pattern: '/oauth2/authorize', handle: decide },
    { method: 'POST', pattern: '/api/v10/oauth2/token', handle: giveToken },
    { method: 'GET', pattern: '/api/v10/users/@me', handle: tellUser },
    { method: 'GET', pattern: '/avatars/:user/:file', handle: showAvatar },
  ];

  const service: Service = {
    name: 'oauth',
    routes,
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

export type DiscordOauth = ReturnType<typeof createDiscordOauth>;
