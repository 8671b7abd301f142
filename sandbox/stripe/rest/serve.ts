import { randomBytes } from 'node:crypto';
import { createFaultQueue } from '../../fault-queue';
import {
  respond,
  CALLER_GONE,
  createApp,
  dropConnection,
  hang,
  pause,
  type App,
  type RequestContext,
} from '../../http/app';
import { createRecentList, type Changes } from '../../service';
import { API_VERSION, type AccountKeys } from '../keys';
import type { Store } from '../store';
import { faultBody, type ApiFault } from './api-fault';
import { findViolation } from './check-parameters';
import { decodeForm, type DecodedForm } from './decode-form';
import { expandResponse, type Includables } from './expand';
import { createIdempotencyKeys } from './idempotency';
import { keyIn, type KeyKind, type KeyRing } from './key-ring';
import { refuseMissingPermission } from './permissions';
import { checkVersion, createRouter, prepareRoute, type Route } from './rest';
import { StripeError } from './stripe-error';

/** One request that reached the API, for tests. */
export interface StripeRequest {
  requestId: string;
  /** Epoch milliseconds with a fraction. */
  receivedAt: number;
  method: string;
  path: string;
  /** The route's pattern such as `/v1/customers/:id`; null when the sandbox has no such route. */
  route: string | null;
  key: KeyKind | null;
  idempotencyKey: string | null;
  /** As decoded from the form, before conversion. */
  params: DecodedForm;
  /** null while there is no response. */
  status: number | null;
  /** Whether the response is the saved one of the same idempotency key. */
  replayed: boolean;
  /**
   * Why Stripe's own description of its API does not allow the request (see parameters.json), or what else is wrong with
   * its headers; null when nothing is. Also set when a fault kept the request from being executed.
   */
  violation: string | null;
}

interface Reply {
  status: number;
  body: string;
  requestId: string;
  replayed: boolean;
}

const MAX_REQUESTS = 5_000;
/** Stripe.js and pages of the shop call the API from another origin. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type, idempotency-key, stripe-version',
  'access-control-max-age': '300',
};

/** The request that causes events. */
export interface Cause {
  id: string | null;
  idempotency_key: string | null;
}

interface ApiOptions {
  account: AccountKeys;
  keyRing: KeyRing;
  /** Serves a request whose key is of another account; null when no account has the key. */
  serveOther(key: string, context: RequestContext): Promise<Response> | null;
  store: Store;
  routes: readonly Route[];
  includables: Includables;
  changes: Changes;
}

/** Serves the routes under `/v1/`. */
export function createApi({ account, keyRing, serveOther, store, routes, includables, changes }: ApiOptions) {
  const faults = createFaultQueue<ApiFault>();
  let cause: Cause | null = null;
  const match = createRouter(routes);
  const keys = createIdempotencyKeys();
  const requests = createRecentList<StripeRequest>(MAX_REQUESTS);

  async function handle(context: RequestContext): Promise<Response> {
    const { req, var: variables } = context;
    const keyText = keyIn(req.header('authorization'));
    const givenKey = keyRing.find(keyText);
    const other = givenKey === null ? serveOther(keyText, context) : null;
    if (other !== null) return other;
    const text = req.method === 'POST' ? await req.text() : variables.url.search.slice(1);
    const record: StripeRequest = {
      requestId: `req_${randomBytes(7).toString('hex')}`,
      receivedAt: variables.arrivedAt,
      method: req.method,
      path: variables.url.pathname,
      route: null,
      key: givenKey?.kind ?? null,
      idempotencyKey: req.header('idempotency-key') ?? null,
      params: {},
      status: null,
      replayed: false,
      violation: null,
    };
    requests.add(record);
    record.violation = violationOf(record, text, req.header('stripe-version'));
    const fault = faults.take(
      ({ method, path }) =>
        (method === undefined || method === record.method) &&
        (path === undefined || record.path.startsWith(path)),
    );
    changes.mark();
    // Without `executed`, a fault other than a delay keeps the request from being executed.
    const isExecuted = fault === undefined || fault.kind === 'delay' || fault.executed === true;
    let reply: Reply | null = null;
    let unlock = () => {};
    try {
      if (record.idempotencyKey !== null && record.method === 'POST')
        unlock = keys.lock(record.idempotencyKey);
    } catch (error) {
      reply = failure(error, record.requestId);
    }
    try {
      if (fault?.kind === 'delay' && fault.executed !== true && !(await pause(context, fault.ms)))
        return CALLER_GONE;
      if (isExecuted) reply ??= execute(record, text, keyText, req.header('stripe-version'), fault);
      if (fault?.kind === 'delay' && fault.executed === true && !(await pause(context, fault.ms)))
        return CALLER_GONE;
    } finally {
      unlock();
    }
    if (fault?.kind === 'hang') return hang();
    if (fault?.kind === 'drop') return dropConnection(context);
    reply ??= statusReply(fault, record.requestId);
    record.status = reply.status;
    record.replayed = reply.replayed;
    changes.mark();
    return respond(
      reply.status,
      {
        'content-type': 'application/json',
        'cache-control': 'no-cache, no-store',
        'request-id': record.requestId,
        'stripe-version': API_VERSION,
        ...(record.idempotencyKey === null ? {} : { 'idempotency-key': record.idempotencyKey }),
        ...(reply.replayed ? { 'idempotent-replayed': 'true', 'original-request': reply.requestId } : {}),
        ...CORS,
      },
      reply.body,
    );
  }

  function execute(
    record: StripeRequest,
    text: string,
    keyText: string,
    version: string | undefined,
    fault: ApiFault | undefined,
  ): Reply {
    const { requestId } = record;
    const idempotencyKey = record.method === 'POST' ? record.idempotencyKey : null;
    let isFirst = false;
    let isExecuting = false;
    try {
      const key = keyRing.require(keyText);
      checkVersion(version);
      record.params = decodeForm(text);
      const matched = match(record.method, record.path);
      if (!matched)
        throw new StripeError(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${record.method}: ${record.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
        });
      record.route = matched.route.path;
      const { expand = [] } = record.params;
      const expanded = Array.isArray(expand) ? expand.map(String) : [];
      if (key.permissions !== null)
        refuseMissingPermission({
          ...{ method: record.method, path: record.path, expand: expanded },
          ...{ key: key.text, permissions: key.permissions, accountId: account.id },
        });
      if (idempotencyKey !== null) {
        const saved = keys.begin(idempotencyKey, `${record.method} ${record.path} ${text}`);
        if (saved) return { ...saved, replayed: true };
        isFirst = true;
      }
      store.clock.catchUp();
      cause = { id: requestId, idempotency_key: idempotencyKey };
      const run = prepareRoute(store, matched, { url: record.path, key: key.kind, form: record.params });
      isExecuting = true;
      const object = run();
      const json = JSON.stringify(expandResponse(store, includables, object, expanded), null, 2);
      const body = account.livemode ? json.replaceAll('"livemode": false', '"livemode": true') : json;
      const answered = { status: 200, body, requestId, replayed: false };
      const reply = fault?.kind === 'status' ? statusReply(fault, requestId) : answered;
      if (idempotencyKey !== null) keys.finish(idempotencyKey, reply);
      return reply;
    } catch (error) {
      const reply = failure(error, requestId);
      if (idempotencyKey !== null && isFirst) {
        // Stripe saves only what it began to execute: a refused card, but not a malformed request.
        if (isExecuting && !isValidation(error)) keys.finish(idempotencyKey, reply);
        else keys.release(idempotencyKey);
      }
      return reply;
    } finally {
      cause = null;
    }
  }

  const app = createApp();
  app.options('/v1/*', () => respond(204, CORS));
  app.all('/v1/*', handle);

  return {
    app: app as App,
    /** Serves one request, for the account whose app it reached. */
    handle,
    /** The request that is being executed. */
    cause: (): Cause => cause ?? { id: null, idempotency_key: null },
    faults: () => faults.list(),
    setFaults(next: readonly ApiFault[]): void {
      faults.set(next);
      changes.mark();
    },
    /** The last requests, oldest first. */
    requests: (): StripeRequest[] => requests.list(),
    clearRequests: () => requests.clear(),
    snapshot: keys.snapshot,
    restore: keys.restore,
    reset(): void {
      keys.reset();
      faults.set([]);
      requests.clear();
    },
  };
}

/** Whether a route refused a parameter as such, before it did anything. */
function isValidation(error: unknown): boolean {
  return error instanceof StripeError && /^(parameter_|amount_too_|sandbox_)/.test(error.body.code ?? '');
}

function violationOf(record: StripeRequest, text: string, version: string | undefined): string | null {
  const { method, path } = record;
  const isBrowser = record.key === 'publishable';
  // Stripe.js and curl may leave both headers out; the SDK of a server must not.
  if (!isBrowser && version !== API_VERSION) return `the Stripe-Version is ${version ?? 'missing'}`;
  if (!isBrowser && method === 'POST' && record.idempotencyKey === null)
    return 'the Idempotency-Key is missing';
  try {
    return findViolation(method, path, decodeForm(text), record.key);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function statusReply(fault: ApiFault | undefined, requestId: string): Reply {
  const status = fault?.kind === 'status' ? fault.status : 500;
  return { status, body: JSON.stringify({ error: faultBody(status) }, null, 2), requestId, replayed: false };
}

function failure(error: unknown, requestId: string): Reply {
  const known = error instanceof StripeError;
  // A handler's own mistake is an error of the sandbox and says so.
  const status = known ? error.status : 500;
  const body = known
    ? { ...error.body, request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` }
    : {
        type: 'api_error',
        message: `sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      };
  return { status, body: JSON.stringify({ error: body }, null, 2), requestId, replayed: false };
}
