import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Config } from '#shared/config.server';
import { createPageFetcher, MAX_BODY_BYTES } from '../../waiting-room/fetch/fetch-page';
import { answerFromFile } from '../../waiting-room/fetch/saved-page';
import { judgeOutcome } from '../../judging/judge-outcome';
import { NOTHING_EXPECTED } from '../../judging/product/judge-product';
import { createPublicWeb } from '#shared/network/public-web.server';
import type { PageAnswer, Price, ProductJudgement } from '#shared/monitor/checks/verdict';
import { urlOf, type Watch } from '#shared/monitor/watches/watches';
import { wrongValue } from '../arguments';
import { formatTable, UsageError, type CommandOutput } from '../terminal';
import { formatMoney } from '#shared/money';
import { terminalLine } from '#shared/terminal-text';

interface JudgeInput {
  /** `product`: judge the page as a product page. */
  kind?: string | undefined;
  file?: string | undefined;
  /** The URL that was requested, when it redirected to `url`. */
  requested?: string | undefined;
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

/** Reads a file as far as a check reads a page. */
async function readNamed(path: string, flag: string): Promise<Buffer> {
  return buffer(createReadStream(path, { end: MAX_BODY_BYTES - 1 })).catch(() => {
    throw wrongValue(flag, path, 'the file cannot be read.');
  });
}

async function readPageFile(
  file: string,
  { status, url, headers, requested = url }: JudgeInput,
): Promise<FetchedPage> {
  if (status !== undefined && !/^[1-5]\d{2}$/.test(status))
    throw wrongValue('--status', status, '--status must be an HTTP status such as 200.');
  for (const [flag, address] of Object.entries({ '--url': url, '--requested': requested }))
    if (address !== undefined && !(URL.canParse(address) && /^https?:/i.test(address)))
      throw wrongValue(flag, address, `${flag} must be a complete URL such as https://shop.example/.`);
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
  if (requested !== undefined) answer.requestUrl = requested;
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
  const { kind = 'waiting_room' } = input;
  if (kind !== 'waiting_room' && kind !== 'product')
    throw wrongValue('--kind', kind, 'use waiting_room or product.');
  const ofFile = input.status ?? input.url ?? input.headers ?? input.requested;
  if (input.file === undefined && ofFile !== undefined)
    throw new UsageError('--status, --url, --requested and --headers go with --file.');
  const page =
    input.file === undefined ? await fetchShop(config, watch) : await readPageFile(input.file, input);
  const judgement = judgeOutcome(kind === 'product' ? { ...page, product: NOTHING_EXPECTED } : page);
  if (judgement.product !== undefined) return showProduct(judgement.product);
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

const showPrice = (price: Price | null): string => (price === null ? 'none' : formatMoney(price));

/** `watchedVariant` is no part of the output: its fields are specified (restock design, "Judging"). */
function showProduct({ watchedVariant: _inRecordsOnly, ...product }: ProductJudgement): CommandOutput {
  const { availability, unknownReason, detail, strength, price, title, gtin, variants, seller } = product;
  const more = [unknownReason, detail, strength].filter((word) => word !== null);
  const signs = product.signs.map((sign) => [
    String(sign.weight),
    sign.says,
    sign.source,
    sign.subject,
    sign.evidence,
  ]);
  return {
    lines: [
      `Availability: ${availability}${more.length === 0 ? '' : ` (${more.join(', ')})`}`,
      `Reason:       ${terminalLine(product.reason)}`,
      `Product:      ${terminalLine(title ?? 'none')}${gtin === null ? '' : `, GTIN ${gtin}`}`,
      `Price:        ${showPrice(price)}${seller === null ? '' : `, sold by ${terminalLine(seller)}`}`,
      ...variants.map((variant) =>
        terminalLine(
          `Variant:      ${variant.name} (${variant.key}): ${variant.availability}, ${showPrice(variant.price)}`,
        ),
      ),
      '',
      signs.length === 0
        ? 'No sign was seen.'
        : formatTable([['weight', 'says', 'source', 'about', 'evidence'], ...signs]),
    ],
    json: product,
  };
}
