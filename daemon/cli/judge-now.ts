import { readFile } from 'node:fs/promises';
import type { Config } from '#shared/config.server';
import { createPageFetcher } from '../waiting-room/fetch/fetch-page';
import { answerFromFile } from '../waiting-room/fetch/saved-page';
import { judgeOutcome } from '../waiting-room/judge-page';
import type { PageAnswer } from '#shared/monitor/verdict';
import { formatTable, UsageError, type CommandOutput } from './terminal';
import { terminalLine } from '#shared/terminal-text';

interface JudgeInput {
  file?: string | undefined;
  status?: string | undefined;
  url?: string | undefined;
  headers?: string | undefined;
}

interface Look {
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

async function lookAtFile(file: string, { status, url, headers }: JudgeInput): Promise<Look> {
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

async function lookAtShop({ monitor }: Config): Promise<Look> {
  const fetcher = createPageFetcher();
  try {
    return await fetcher.fetch({ targetUrl: monitor.targetUrl, scrappey: monitor.scrappey });
  } finally {
    await fetcher.close();
  }
}

/** `judge`: one look, fetched as a check fetches or read from a file, with every sign that was seen. */
export async function judgeNow(config: Config, input: JudgeInput): Promise<CommandOutput> {
  if (input.file === undefined && (input.status ?? input.url ?? input.headers) !== undefined) {
    throw new UsageError('--status, --url and --headers go with --file.');
  }
  const look = input.file === undefined ? await lookAtShop(config) : await lookAtFile(input.file, input);
  const judgement = judgeOutcome(look);
  const signs = judgement.signs.map((sign) => [String(sign.weight), sign.pointsTo, sign.id, sign.evidence]);
  return {
    lines: [
      `Verdict: ${judgement.verdict}${judgement.strength === null ? '' : ` (${judgement.strength})`}`,
      `Reason:  ${terminalLine(judgement.reason)}`,
      `Page:    ${terminalLine(look.answer.finalUrl)}, HTTP ${look.answer.status}, ${look.answer.body.length} characters${look.responseTimeMs === null ? '' : `, ${Math.round(look.responseTimeMs)} ms`}`,
      ...(look.errorMessage === null ? [] : [`Fault:   ${terminalLine(look.errorMessage)}`]),
      '',
      signs.length === 0
        ? 'No sign was seen.'
        : formatTable([['weight', 'points to', 'sign', 'evidence'], ...signs]),
    ],
    json: {
      success: true,
      ...judgement,
      status: look.answer.status,
      url: look.answer.finalUrl,
      responseTimeMs: look.responseTimeMs,
      scrappeyStatus: look.scrappeyStatus,
      errorMessage: look.errorMessage,
    },
  };
}
