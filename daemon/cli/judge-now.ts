import { readFile } from 'node:fs/promises';
import type { Config } from '#shared/config.server';
import { createPageFetcher } from '../waiting-room/fetch/fetch-page';
import { answerFromFile } from '../waiting-room/fetch/saved-page';
import { judgeOutcome } from '../waiting-room/judge-page';
import type { PageAnswer } from '#shared/monitor/verdict';
import { formatTable, UsageError, type CommandOutput } from './terminal';
import { terminalLine } from './terminal-text';

interface JudgeInput {
  file?: string | undefined;
  status?: string | undefined;
  url?: string | undefined;
  headers?: string | undefined;
}

interface Fetched {
  answer: PageAnswer;
  responseTimeMs: number | null;
  scrappeyStatus: string | null;
  errorMessage: string | null;
}

async function readNamed(path: string, flag: string): Promise<Buffer> {
  return readFile(path).catch(() => {
    throw new UsageError(`${flag} ${path} cannot be read.`);
  });
}

async function readPageFile(file: string, { status, url, headers }: JudgeInput): Promise<Fetched> {
  if (status !== undefined && !/^\d{3}$/.test(status))
    throw new UsageError('--status is an HTTP status such as 200.');
  if (url !== undefined && !URL.canParse(url))
    throw new UsageError('--url is a whole address such as https://shop.example/.');
  const answer = answerFromFile({
    page: await readNamed(file, '--file'),
    status: status === undefined ? undefined : Number(status),
    url,
    headersText: headers === undefined ? undefined : (await readNamed(headers, '--headers')).toString('utf8'),
  });
  return { answer, responseTimeMs: null, scrappeyStatus: null, errorMessage: null };
}

async function fetchFromShop({ monitor }: Config): Promise<Fetched> {
  const fetcher = createPageFetcher();
  try {
    return await fetcher.fetch({ targetUrl: monitor.targetUrl, scrappey: monitor.scrappey });
  } finally {
    await fetcher.close();
  }
}

/** `judge`: judges one page, fetched as a check fetches it or read from a file, and lists every sign found. */
export async function judgeNow(config: Config, input: JudgeInput): Promise<CommandOutput> {
  if (input.file === undefined && (input.status ?? input.url ?? input.headers) !== undefined) {
    throw new UsageError('--status, --url and --headers go with --file.');
  }
  const fetched =
    input.file === undefined ? await fetchFromShop(config) : await readPageFile(input.file, input);
  const judgement = judgeOutcome(fetched);
  const signs = judgement.signs.map((sign) => [String(sign.weight), sign.pointsTo, sign.id, sign.evidence]);
  return {
    lines: [
      `Verdict: ${judgement.verdict}${judgement.strength === null ? '' : ` (${judgement.strength})`}`,
      `Reason:  ${terminalLine(judgement.reason)}`,
      `Page:    ${terminalLine(fetched.answer.finalUrl)}, HTTP ${fetched.answer.status}, ${fetched.answer.body.length} characters${fetched.responseTimeMs === null ? '' : `, ${Math.round(fetched.responseTimeMs)} ms`}`,
      ...(fetched.errorMessage === null ? [] : [`Fault:   ${terminalLine(fetched.errorMessage)}`]),
      '',
      signs.length === 0
        ? 'No sign was seen.'
        : formatTable([['weight', 'points to', 'sign', 'evidence'], ...signs]),
    ],
    json: {
      success: true,
      ...judgement,
      status: fetched.answer.status,
      url: fetched.answer.finalUrl,
      responseTimeMs: fetched.responseTimeMs,
      scrappeyStatus: fetched.scrappeyStatus,
      errorMessage: fetched.errorMessage,
    },
  };
}
