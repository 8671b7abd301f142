import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { createFaultQueue } from '../fault-queue';
import {
  respondHtml,
  respondJson,
  CALLER_GONE,
  createApp,
  hang,
  pause,
  type App,
  type RequestContext,
} from '../http/app';
import { createRecentList, type Changes, type Service } from '../service';
import { fetchPage, type FetchedPage } from './fetch-page';
import { SCRAPPEY_CODES, type ScrappeyCode, type ScrappeyFault } from './scrappey-fault';

export const SCRAPPEY_PATH = '/scrappey/api/v1';
export const SCRAPPEY_KEY = 'sandbox-key';

/** One call of the service. `receivedAt` is epoch milliseconds with a fraction. */
export interface ScrappeyRequest {
  receivedAt: number;
  cmd: string;
  url: string | null;
  /** null while there is no response. */
  status: number | null;
  data: 'success' | 'error' | null;
}

const MAX_REQUESTS = 200;
/** The default of the client libraries: five minutes. */
const DEFAULT_TIMEOUT_MS = 300_000;
const IP_INFO = {
  ip: '203.0.113.24',
  country: 'United Kingdom',
  city: 'London',
  region: 'England',
  timezone: 'Europe/London',
  isp: 'Sandbox Broadband',
};

const commandSchema = z.object({
  cmd: z.string(),
  url: z.string().optional(),
  requestType: z.enum(['browser', 'request']).default('browser'),
  session: z.string().optional(),
  timeout: z.number().positive().max(DEFAULT_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
  customHeaders: z.record(z.string(), z.string()).default({}),
  listAllRedirects: z.boolean().default(false),
  onlyStatusCode: z.boolean().default(false),
});
type Command = z.infer<typeof commandSchema>;

/** Scrappey's API, `request.get` only: it fetches the page, and shows the faults that a test sets. */
export function createScrappey(changes: Changes) {
  const faults = createFaultQueue<ScrappeyFault>();
  const requests = createRecentList<ScrappeyRequest>(MAX_REQUESTS);

  async function handle(context: RequestContext): Promise<Response> {
    const { arrivedAt, url } = context.var;
    const started = performance.now();
    const command = readCommand(await context.req.text());
    const record: ScrappeyRequest = {
      receivedAt: arrivedAt,
      cmd: command?.cmd ?? '',
      url: command?.url ?? null,
      status: null,
      data: null,
    };
    requests.add(record);
    changes.mark();
    const send = (status: number, value: { data: 'success' | 'error' } & Record<string, unknown>) => {
      record.status = status;
      record.data = value.data;
      changes.mark();
      return respondJson(status, { ...value, timeElapsed: Math.round(performance.now() - started) });
    };
    const session = command?.session ?? randomUUID();
    const sendError = (code: ScrappeyCode, detail?: string) => send(200, errorBody(code, session, detail));

    if (url.searchParams.get('key') !== SCRAPPEY_KEY) {
      return send(401, { data: 'error', error: 'Invalid API key' });
    }

    const fault = faults.take();
    switch (fault?.kind) {
      case 'hang':
        return hang();
      case 'garbage':
        record.status = 200;
        return respondHtml(200, '<html><body>upstream error</body></html>');
      case 'status':
        return send(fault.status, { data: 'error', error: `HTTP ${fault.status}` });
      case 'code':
        return sendError(fault.code);
      default:
    }

    if (!command || command.cmd !== 'request.get') return sendError('0004');
    if (!command.url || !isWebAddress(command.url)) return sendError('0031', 'url is no http(s) address');

    const gone = new AbortController();
    context.env.outgoing.once('close', () => gone.abort());
    let page: FetchedPage;
    try {
      const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(command.timeout)]);
      page = await fetchPage(command.url, command.customHeaders, signal);
    } catch (error) {
      if (gone.signal.aborted) return CALLER_GONE;
      return sendError('0031', error instanceof Error ? error.message : String(error));
    }
    if (fault?.kind === 'delay' && !(await pause(context, fault.ms))) return CALLER_GONE;
    const solution = toSolution(page, command, fault?.kind !== 'unverified');
    return send(200, { data: 'success', solution, session, request_uuid: randomUUID() });
  }

  function reset(): void {
    faults.set([]);
    requests.clear();
    changes.mark();
  }

  const service: Service = {
    name: 'scrappey',
    app: createApp().post(SCRAPPEY_PATH, handle) as App,
    state: () => ({ faults: faults.list(), requests: requests.list() }),
    reset,
  };

  return {
    service,
    /** The last calls, oldest first. */
    requests: (): ScrappeyRequest[] => requests.list(),
    faults: (): ScrappeyFault[] => faults.list(),
    setFaults(next: readonly ScrappeyFault[]): void {
      faults.set(next);
      changes.mark();
    },
  };
}

export type Scrappey = ReturnType<typeof createScrappey>;

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function readCommand(text: string): Command | null {
  try {
    return commandSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Scrappey reports failures with HTTP 200. */
function errorBody(code: ScrappeyCode, session: string, detail?: string) {
  const error = `CODE-${code}: ${SCRAPPEY_CODES[code]}`;
  return {
    data: 'error' as const,
    error: detail === undefined ? error : `${error} (${detail})`,
    info: `https://wiki.scrappey.com/getting-started#code-${code}`,
    solution: { verified: false, type: 'browser' },
    session,
    request_uuid: randomUUID(),
  };
}

function toSolution(page: FetchedPage, command: Command, verified: boolean): Record<string, unknown> {
  const solution: Record<string, unknown> = {
    verified,
    type: command.requestType,
    statusCode: page.statusCode,
    currentUrl: page.currentUrl,
    userAgent: page.requestHeaders['user-agent'],
    cookies: page.cookies.map(({ name, ...rest }) => ({ key: name, name, ...rest })),
    cookieString: page.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    responseHeaders: page.responseHeaders,
    requestHeaders: page.requestHeaders,
    method: 'GET',
    ipInfo: IP_INFO,
  };
  if (!command.onlyStatusCode) solution.response = page.body;
  if (command.listAllRedirects) solution.listAllRedirectsResponse = page.visited;
  return solution;
}
