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
import siteRoutes from '~/routes';
import { createTestDatabase } from './database';

export const SITE = 'https://packwatch.example';

/** The API's routes, as `routes.ts` has them, with their modules. */
const apiRoutes = await Promise.all(
  (await siteRoutes)
    .filter(({ path = '' }) => path.startsWith('api/'))
    .map(async ({ path = '', file }) => {
      const name = basename(file, '.ts');
      const module = (await import(`../../app/routes/api/${name}.ts`)) as Record<
        'loader' | 'action',
        ApiHandler
      >;
      return { prefix: path.replace(/\*$/, ''), module };
    }),
);

export const apiGroups = apiRoutes.map(({ module }) => module.loader.group);

/** Every declared call. */
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

export interface Sent {
  token?: string | null;
  /** A session's token, shown as the cookie. */
  cookie?: string | null;
  /** Other cookies, as a Cookie header writes them. */
  cookies?: string;
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as they are, in place of `body`. */
  bytes?: Uint8Array;
  /** Sent as multipart/form-data, in place of `body`. */
  form?: FormData;
  /** Sent as it comes, in place of `body`. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
  /** The client's address; a new one for each request unless said. */
  from?: string;
}

/** An address that no limit has seen. */
export function freshAddress(): string {
  return [10, randomInt(256), randomInt(256), randomInt(1, 255)].join('.');
}

function requestOf(method: string, path: string, sent: Sent): Request {
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

/** Sends a request to the route of its path: of those that fit, the longest. */
export async function answerOf(request: Request): Promise<Response> {
  const path = `${new URL(request.url).pathname.slice(1).toLowerCase()}/`;
  const [route] = apiRoutes
    .filter(({ prefix }) => path.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  if (route === undefined) throw new Error(`${request.url} is not below /api`);
  const { loader, action } = route.module;
  const args = { request, params: {}, context: {} };
  return ['GET', 'HEAD', 'OPTIONS'].includes(request.method) ? loader(args) : action(args);
}

/** Sends a request to the API, from the address `sent.from` or from one that no limit has seen. */
export function send(method: string, path: string, sent: Sent = {}): Promise<Response> {
  const request = requestOf(method, path, sent);
  return runInRequest({ method, clientAddress: sent.from ?? freshAddress() }, () => answerOf(request));
}

export interface Answered {
  status: number;
  body: Record<string, unknown>;
  headers: Headers;
}

/** The same, with the answer's JSON read. */
export async function ask(method: string, path: string, sent: Sent = {}): Promise<Answered> {
  const answer = await send(method, path, sent);
  const text = await answer.text();
  return {
    status: answer.status,
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
    headers: answer.headers,
  };
}

/** A cookie that an answer sets: its value, or null when it does not set it. */
export function setCookie(answer: Pick<Response, 'headers'>, name: string): string | null {
  const found = answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  return found?.slice(name.length + 1).split(';', 1)[0] ?? null;
}

export const PERSONAS = ['member', 'beta', 'pro', 'admin'] as const;
export type PersonaName = (typeof PERSONAS)[number];

export interface ApiWorld {
  /** The route modules' own connection. */
  db: Database;
  /** An account that is confirmed, with what its persona has. */
  account(persona: PersonaName, fields?: Partial<Account>): Promise<Account>;
  /** A new session's token. */
  signIn(account: Account): Promise<string>;
  /** Both at once. */
  tokenOf(persona: PersonaName): Promise<string>;
  /** The newest code on its way to an address. */
  codeFor(email: string): Promise<string>;
  cleanup(): Promise<void>;
}

export function freshEmail(): string {
  return `someone-${randomBytes(6).toString('hex')}@packwatch.example`;
}

/**
 * A database of its own (unless the environment names one) under this process's route modules. Mail is switched on and goes nowhere; Redis and Discord
 * are away unless the environment says otherwise.
 */
export async function createApiWorld(environment: Record<string, string> = {}): Promise<ApiWorld> {
  const { file, folder, cleanup } = await createTestDatabase();
  const variables = {
    NODE_ENV: 'test',
    DATABASE_URL: `file:${file}`,
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
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const { db } = serverContext();

  const world: ApiWorld = {
    db,
    async account(persona, fields = {}) {
      const now = toIso(Date.now());
      // Who pays for Pro is decided by subscriptions, which are not there yet: until then a pro member is a beta one.
      const isBeta = persona === 'beta' || persona === 'pro';
      return db
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
    },
    async signIn(account) {
      const { clock } = serverContext();
      const { token } = await createSession(db, { accountId: account.id, userAgent: null, clock });
      return token;
    },
    tokenOf: async (persona) => world.signIn(await world.account(persona)),
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
    async cleanup() {
      await closeServerContext();
      await cleanup();
      vi.unstubAllEnvs();
    },
  };
  return world;
}
