import { readFile } from 'node:fs/promises';
import type { Config } from '#shared/config.server';
import { createPageFetcher } from '../../waiting-room/fetch/fetch-page';
import { answerFromFile } from '../../waiting-room/fetch/saved-page';
import { judgeOutcome } from '../../waiting-room/judge-page';
import { createPublicWeb } from '#shared/network/public-web.server';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { urlOf, type Watch } from '#shared/monitor/watches/watches';
import { wrongValue } from '../arguments';
import { formatTable, UsageError, type CommandOutput } from '../terminal';
import { terminalLine } from '#shared/terminal-text';

interface JudgeInput {
  file?: string | undefined;
  status?: string | undefined;
  url?: string | undefined;
  headers?: string | undefined;
}

interface FetchedPage {
  answer: PageAnswer;
  responseTimeMs: number | null;
  scrappeyStatus: string | null;
  errorMessage: string | null;
}

async function readNamed(path: string, flag: string): Promise<Buffer> {
  return readFile(path).catch(() => {
    throw wrongValue(flag, path, 'the file cannot be read.');
  });
}

async function readPageFile(file: string, { status, url, headers }: JudgeInput): Promise<FetchedPage> {
  if (status !== undefined && !/^[1-5]\d{2}$/.test(status))
    throw wrongValue('--status', status, '--status must be an HTTP status such as 200.');
  if (url !== undefined && !URL.canParse(url))
    throw wrongValue('--url', url, '--url must be a complete URL such as https://shop.example/.');
  const page = await readNamed(file, '--file');
  const headersText = headers === undefined ? '' : (await readNamed(headers, '--headers')).toString('utf8');
  let answer: PageAnswer;
  try {
    answer = answerFromFile({
      page,
      url,
      headersText,
      status: status === undefined ? undefined : Number(status),
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw wrongValue('--headers', headers ?? '', 'the file begins like JSON and is not valid JSON.');
  }
  return { answer, responseTimeMs: null, scrappeyStatus: null, errorMessage: null };
}

async function fetchShop(
  { monitor, allowedPrivateHosts }: Config,
  watch: Pick<Watch, 'url'>,
): Promise<FetchedPage> {
  const web = createPublicWeb({ allowedPrivateHosts });
  const fetcher = createPageFetcher(web);
  try {
    return await fetcher.fetch({
      targetUrl: urlOf(watch, monitor),
      publicOnly: watch.url !== null,
      scrappey: monitor.scrappey,
    });
  } finally {
    await Promise.all([fetcher.close(), web.close()]);
  }
}

/** `judge`: judges one page, fetched as a check fetches it or read from a file, and shows every sign found. */
export async function judgeNow(
  config: Config,
  input: JudgeInput,
  watch: Pick<Watch, 'url'> = { url: null },
): Promise<CommandOutput> {
  if (input.file === undefined && (input.status ?? input.url ?? input.headers) !== undefined) {
    throw new UsageError('--status, --url and --headers go with --file.');
  }
  const page =
    input.file === undefined ? await fetchShop(config, watch) : await readPageFile(input.file, input);
  const judgement = judgeOutcome(page);
  const signs = judgement.signs.map((sign) => [String(sign.weight), sign.pointsTo, sign.id, sign.evidence]);
  return {
    lines: [
      `Verdict: ${judgement.verdict}${judgement.strength === null ? '' : ` (${judgement.strength})`}`,
      `Reason:  ${terminalLine(judgement.reason)}`,
      `Page:    ${terminalLine(page.answer.finalUrl)}, HTTP ${page.answer.status}, ${page.answer.body.length} characters${page.responseTimeMs === null ? '' : `, ${Math.round(page.responseTimeMs)} ms`}`,
      ...(page.errorMessage === null ? [] : [`Fault:   ${terminalLine(page.errorMessage)}`]),
      '',
      signs.length === 0
        ? 'No sign was seen.'
        : formatTable([['weight', 'points to', 'sign', 'evidence'], ...signs]),
    ],
    json: {
      success: true,
      ...judgement,
      status: page.answer.status,
      url: page.answer.finalUrl,
      responseTimeMs: page.responseTimeMs,
      scrappeyStatus: page.scrappeyStatus,
      errorMessage: page.errorMessage,
    },
  };
}
