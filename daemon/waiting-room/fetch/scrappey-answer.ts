import { z } from 'zod';
import type { Hop, PageAnswer } from '#shared/monitor/checks/verdict';
import { firstCharacters } from '#shared/text';
import { noAnswer, type ScrappeyStatus } from './fetch-outcome';
import { normaliseHeaders } from './response-headers';
import { parseAddress } from './web-address';

const optionalText = z.string().optional().catch(undefined);

const cookieSchema = z.object({ name: optionalText, key: optionalText });

const solutionSchema = z.object({
  verified: z.boolean().optional().catch(undefined),
  response: z.unknown().optional(),
  statusCode: z.coerce.number().int().min(100).max(599).optional().catch(undefined),
  currentUrl: optionalText,
  cookieString: optionalText,
  cookies: z.array(cookieSchema).catch([]).default([]),
  responseHeaders: z.unknown().optional(),
  listAllRedirectsResponse: z.array(z.unknown().optional()).catch([]).default([]),
  ipInfo: z.object({ ip: optionalText, country: optionalText }).optional().catch(undefined),
  proxy: optionalText,
});

const answerSchema = z.object({
  data: optionalText,
  error: z.unknown().optional(),
  info: z.unknown().optional(),
  session: optionalText,
  request_uuid: optionalText,
  solution: solutionSchema.optional().catch(undefined),
});

const redirectSchema = z.object({
  url: z.string(),
  status: z.coerce.number().int().optional().catch(undefined),
  statusCode: z.coerce.number().int().optional().catch(undefined),
  location: optionalText,
  headers: z.unknown().optional(),
});

export interface ScrappeyReading {
  answer: PageAnswer;
  status: ScrappeyStatus;
  requestId: string | null;
  proxyUsed: string | null;
  errorMessage: string | null;
  /** Scrappey's error code (four digits or "10000"), or null. */
  code: string | null;
}

/**
 * Parses Scrappey's response to a request.get. Parses leniently, because only public wrappers document the fields
 * (pim97/scrappey.js, scrappey-wrapper-python). Failures arrive with HTTP 200 and `data: "error"`. Never throws.
 */
export function readScrappeyAnswer(
  requestUrl: string,
  { httpStatus, text }: { httpStatus: number; text: string },
): ScrappeyReading {
  const failed = { answer: noAnswer(requestUrl), requestId: null, proxyUsed: null, code: null };
  if (httpStatus === 401 || httpStatus === 403) {
    return {
      ...failed,
      status: 'error',
      errorMessage: `Scrappey refused the API key (status ${httpStatus}).`,
    };
  }
  const parsed = answerSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    return {
      ...failed,
      status: 'other',
      errorMessage: `Scrappey's answer is not a JSON object (status ${httpStatus}).`,
    };
  }
  const { data, solution, session, request_uuid: uuid } = parsed.data;
  const requestId = uuid ?? session ?? null;
  if (data !== 'success') {
    const reason = [parsed.data.error, parsed.data.info]
      .filter((part) => typeof part === 'string' && part !== '')
      .join(' – ');
    const status = data === 'error' || reason !== '' ? 'error' : 'other';
    const errorMessage = `Scrappey could not fetch the page: ${firstCharacters(reason, 300) || `status ${httpStatus}, no reason given`}`;
    return { ...failed, status, requestId, errorMessage, code: errorCode(reason) };
  }
  if (solution === undefined) {
    return { ...failed, status: 'other', requestId, errorMessage: "Scrappey's answer holds no page." };
  }
  return {
    answer: toPageAnswer(requestUrl, solution),
    status: 'success',
    requestId,
    proxyUsed: proxyOf(solution),
    errorMessage: null,
    code: null,
  };
}

function toPageAnswer(requestUrl: string, solution: z.infer<typeof solutionSchema>): PageAnswer {
  const body = asBody(solution.response);
  const current = parseAddress(solution.currentUrl ?? '');
  const headers = normaliseHeaders(solution.responseHeaders);
  // Scrappey reports the browser's cookies apart from the headers. The signs need only their names.
  const listed = solution.cookies.flatMap(({ name, key }) => name ?? key ?? []);
  const written = (solution.cookieString ?? '').match(/(?<![^\s=;])[^\s=;]+(?==)/g) ?? [];
  const names = listed.length > 0 ? listed : written;
  if (headers['set-cookie'] === undefined && names.length > 0) {
    headers['set-cookie'] = names.map((name) => `${name}=kept-by-the-browser`);
  }
  return {
    requestUrl,
    finalUrl: current !== null && /^https?:$/.test(current.protocol) ? current.href : requestUrl,
    status: solution.statusCode ?? (body === '' ? 0 : 200),
    headers,
    body,
    decodable: true,
    hops: solution.listAllRedirectsResponse.flatMap(readRedirect),
    unverified: solution.verified === false,
  };
}

function asBody(response: unknown): string {
  if (typeof response === 'string') return response;
  if (typeof response !== 'object' || response === null) return '';
  try {
    return JSON.stringify(response);
  } catch {
    // Nesting may overflow the stack: JSON.parse has no depth limit.
    return '';
  }
}

function readRedirect(entry: unknown): Hop[] {
  if (typeof entry === 'string') return [{ url: entry, status: 302, location: null, headers: {} }];
  const { success, data } = redirectSchema.safeParse(entry);
  if (!success) return [];
  const status = data.status ?? data.statusCode ?? 302;
  return [
    { url: data.url, status, location: data.location ?? null, headers: normaliseHeaders(data.headers) },
  ];
}

function proxyOf({ proxy, ipInfo }: z.infer<typeof solutionSchema>): string | null {
  const withoutPassword = proxy?.replace(/\/\/[^/@]*@/, '//');
  const address = ipInfo?.ip ?? withoutPassword ?? null;
  return address === null || ipInfo?.country === undefined ? address : `${address} (${ipInfo.country})`;
}

function errorCode(reason: string): string | null {
  return /(?:^|[^\d.])(00\d\d|10000)(?![\d.])/.exec(reason)?.[1] ?? null;
}

function parseJson(text: string): unknown {
  try {
    // As for a direct fetch, NUL characters are removed, because the database cannot store them.
    if (!text.includes('\\u0000')) return JSON.parse(text) as unknown;
    return JSON.parse(text, (_key, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    ) as unknown;
  } catch {
    return undefined;
  }
}
