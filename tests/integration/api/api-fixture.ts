import { randomBytes, randomInt } from 'node:crypto';
import { basename } from 'node:path';
import { vi } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { createSession } from '#shared/accounts/sessions';
import { toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import { closeServerContext, serverContext } from '~/http/server/context.server';
import { runInRequest } from '~/http/server/request-context.server';
import { SESSION_COOKIE } from '~/http/cookies/session-cookie.server';
import type { ApiHandler } from '~/http/api/endpoint.server';
import { findApiHandler, findApiRoutes } from '~/http/pipeline/serve-api.server';
import siteRoutes from '~/routes';
import { createCheapPasswordHasher, createMeasurablePasswordHasher } from '../../cheap-passwords';
import { createTestDatabase } from '../database';
import { subscribe } from '../../paid-accounts';

export const SITE = 'https://packwatch.example';

/** The API routes of `routes.ts`, with their modules. */
const apiRoutes = await Promise.all(
  siteRoutes
    .filter(({ path = '' }) => path.startsWith('api/'))
    .map(async ({ path = '', file }) => {
      const name = basename(file, '.ts');
      const module = (await import(`../../../app/routes/api/${name}.ts`)) as Record<
        'loader' | 'action',
        ApiHandler
      >;
      return { path, module };
    }),
);

/** The route modules of the API by path, such as `/api/auth/*`. */
export const apiRouteModules: Readonly<Record<string, object>> = Object.fromEntries(
  apiRoutes.map(({ path, module }) => [`/${path}`, module]),
);

export const apiGroups = apiRoutes.map(({ module }) => module.loader.group);

/** Every declared API call. */
export const declaredCalls = apiGroups.flatMap(({ paths }) =>
  Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).map(([method, { description }]) => ({
      name: `${method} ${path}`,
      method,
      path,
      description,
    })),
  ),
);

export interface SentRequest {
  token?: string | null;
  /** A session token, sent as the session cookie. */
  cookie?: string | null;
  /** Other cookies, in Cookie header syntax. */
  cookies?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Raw bytes, instead of `body`. */
  bytes?: Uint8Array;
  /** Sent as multipart/form-data, instead of `body`. */
  form?: FormData;
  /** A streamed body, instead of `body`. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  /** The client's address; by default a new one for each request. */
  from?: string;
}

/** A random client address, which no rate limit has counted. */
export function freshAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(1, 255)].join('.');
}

function requestOf(method: string, path: string, sent: SentRequest): Request {
  const { token, cookie, cookies, body, bytes, form, stream, headers = {} } = sent;
  const all = new Headers({ 'User-Agent': 'api-test' });
  if (token != null) all.set('Authorization', `Bearer ${token}`);
  const jar = [cookies, cookie == null ? undefined : `${SESSION_COOKIE}=${cookie}`].filter(Boolean);
  if (jar.length > 0) all.set('Cookie', jar.join('; '));
  if (body !== undefined) all.set('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  return new Request(SITE + path, {
    method,
    headers: all,
    body:
      form ??
      stream ??
      (bytes === undefined ? (body === undefined ? null : JSON.stringify(body)) : Buffer.from(bytes)),
    ...(stream && { duplex: 'half' }),
  });
}

const servedRoutes = findApiRoutes(apiRoutes);

/** Calls the handler that the web process would call. */
export async function handleRequest(request: Request): Promise<Response> {
  const { method, url } = request;
  const handle = findApiHandler(servedRoutes, { method, target: new URL(url).pathname });
  if (handle === undefined) throw new Error(`${url} is not below /api`);
  return handle({ request, params: {}, context: {} });
}

/** Sends a request to the API, from `sent.from` or from a fresh client address. */
export function send(method: string, path: string, sent: SentRequest = {}): Promise<Response> {
  const request = requestOf(method, path, sent);
  return runInRequest({ method, clientAddress: sent.from ?? freshAddress() }, () => handleRequest(request));
}

export interface ApiResponse {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Like `send`, with the response body parsed as JSON. */
export async function callApi(method: string, path: string, sent: SentRequest = {}): Promise<ApiResponse> {
  const answer = await send(method, path, sent);
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: answer.headers,
  };
}

/** The value of a cookie that a response sets, or null. */
export function setCookie(answer: Pick<Response, 'headers'>, name: string): string | null {
  const found = answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(';', 1)[0] ?? null;
}

export const PERSONAS = ['member', 'beta', 'pro', 'admin'] as const;
export type PersonaName = (typeof PERSONAS)[number];

export interface ApiFixture {
  /** The connection that the route modules use. */
  db: Database;
  /** Creates a confirmed account with the role and memberships of a persona. */
  account(persona: PersonaName, fields?: Partial<Account>): Promise<Account>;
  /** Creates a session. Returns its token. */
  signIn(account: Account): Promise<string>;
  /** Creates an account and a session. Returns the session's token. */
  tokenOf(persona: PersonaName): Promise<string>;
  /** The code in the newest queued mail to an address. */
  codeFor(email: string): Promise<string>;
  /** Runs `work` while hashing a password takes most of a sign-in: for tests of processor time and of floods. */
  atMeasurableCost<T>(work: () => Promise<T>): Promise<T>;
  cleanup(): Promise<void>;
}

export function freshEmail(): string {
  return `someone-${randomBytes(6).toString('hex')}@packwatch.example`;
}

/**
 * Gives the route modules of this process a new database, unless the environment names one. Mail is enabled but has no
 * server. Redis and Discord are disabled unless the environment enables them. Passwords are hashed at a low cost, except
 * within `atMeasurableCost`.
 */
export async function createApiFixture(environment: Record<string, string> = {}): Promise<ApiFixture> {
  const { environment: ofDatabase, folder, cleanup } = await createTestDatabase();
  const variables = {
    NODE_ENV: 'test',
    ...ofDatabase,
    DATA_DIR: folder,
    APP_URL: SITE,
    LOG_LEVEL: 'silent',
    REDIS_URL: undefined,
    SESSION_SECRET: 'a secret of the tests, long enough',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Packwatch <mail@packwatch.example>',
    DISCORD_CLIENT_ID: undefined,
    DISCORD_CLIENT_SECRET: undefined,
    DISCORD_CDN_URL: 'http://127.0.0.1:9',
    ...environment,
  };
  // A late request of the file that ran before in this process may have opened a context with its environment.
  await closeServerContext();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const context = serverContext();
  const { db } = context;
  context.passwords = createCheapPasswordHasher();

  const fixture: ApiFixture = {
    db,
    async account(persona, fields = {}) {
      const now = toIso(Date.now());
      const isBeta = persona === 'beta' || persona === 'pro';
      const account = await db
        .insertInto('users')
        .values({
          id: newId(),
          email: freshEmail(),
          email_verified_at: now,
          username: persona,
          role: persona === 'admin' ? 'admin' : 'member',
          beta_requested_at: isBeta ? now : null,
          beta_approved_at: isBeta ? now : null,
          beta_ever_requested: isBeta ? 1 : 0,
          created_at: now,
          updated_at: now,
          ...fields,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      if (persona === 'pro') await subscribe(db, account.id);
      return account;
    },
    async signIn(account) {
      const { clock } = serverContext();
      const { token } = await createSession(db, { accountId: account.id, userAgent: null, clock });
      return token;
    },
    tokenOf: async (persona) => fixture.signIn(await fixture.account(persona)),
    async codeFor(email) {
      const mail = await db
        .selectFrom('mails')
        .select('sealed_code')
        .where('recipient', '=', email)
        .where('template', '=', 'code')
        .orderBy('created_at', 'desc')
        .executeTakeFirstOrThrow();
      const code = serverContext().keyring.open('mail', mail.sealed_code ?? '');
      if (code === null) throw new Error(`the code for ${email} cannot be opened`);
      return code;
    },
    async atMeasurableCost(work) {
      const cheap = context.passwords;
      context.passwords = createMeasurablePasswordHasher();
      try {
        return await work();
      } finally {
        context.passwords = cheap;
      }
    },
    async cleanup() {
      await closeServerContext();
      await cleanup();
      vi.unstubAllEnvs();
    },
  };
  return fixture;
}
