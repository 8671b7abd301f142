import { z } from 'zod';
import { faultLife } from '../fault-queue';

/**
 * Scrappey's error codes and what they mean, as its client libraries list them (n8n-nodes-scrappey; the vendor's
 * own wiki could not be checked).
 */
export const SCRAPPEY_CODES = {
  '0001': 'Server is overloaded',
  '0002': 'Cloudflare blocked the request',
  '0003': 'Too many attempts',
  '0004': 'Invalid cmd',
  '0005': 'Tunnel connection failed',
  '0006': 'Bad HTTP response',
  '0007': 'Turnstile could not be loaded: ERR_TUNNEL_CONNECTION_FAILED',
  '0010': 'DataDome: proxy blocked',
  '0011': 'DataDome: request blocked',
  '0012': 'DataDome: captcha failed',
  '0013': 'DataDome: captcha not solved in time',
  '0014': 'DataDome: unknown challenge',
  '0018': 'Too high error rate for this URL, temporarily banned',
  '0019': 'Proxy refused the connection',
  '0021': 'Unknown error',
  '0024': 'Proxy timed out',
  '0025': 'Proxy authentication failed',
  '0026': 'Browser error',
  '0029': 'Too many sessions open',
  '0031': 'Request error',
  '0032': 'Turnstile was not solved',
  '0037': 'DataDome: device check failed',
  '10000': 'Unknown error',
} as const;

export type ScrappeyCode = keyof typeof SCRAPPEY_CODES;
const CODES = Object.keys(SCRAPPEY_CODES) as [ScrappeyCode, ...ScrappeyCode[]];

/**
 * A fault of the service: `code` responds 200 with `data:"error"`; `unverified` fetches but marks the result as
 * unverified; `garbage` is not JSON; `delay` (milliseconds) fetches first and responds late; `hang` never responds.
 */
export const scrappeyFaultSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('code'), code: z.enum(CODES), ...faultLife }),
  z.strictObject({ kind: z.literal('unverified'), ...faultLife }),
  z.strictObject({ kind: z.literal('garbage'), ...faultLife }),
  z.strictObject({ kind: z.literal('status'), status: z.int().min(400).max(599), ...faultLife }),
  z.strictObject({ kind: z.literal('delay'), ms: z.number().min(0).max(600_000), ...faultLife }),
  z.strictObject({ kind: z.literal('hang'), ...faultLife }),
]);
export type ScrappeyFault = z.infer<typeof scrappeyFaultSchema>;
