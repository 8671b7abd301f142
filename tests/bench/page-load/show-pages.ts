import { SERIES, type PageLoad, type Series } from './measure-pages';

const NAMES: Record<Series, string> = {
  bareList: 'bare server, equal list',
  bareArticle: 'bare server, equal article',
  minimal: 'minimal Remix page',
  cachedList: '/news, cached',
  cachedArticle: 'article, cached',
  unchangedList: '/news, not modified',
  uncachedList: '/news, rendered anew',
  uncachedArticle: 'article, rendered anew',
};

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KB`;
}

/** Formats the figures as lines of text. */
export function showPages({ load, memory, weights, htmlBytes }: PageLoad): string[] {
  const times = (series: Series) =>
    `${(load[series].requestsPerSecond / load.minimal.requestsPerSecond).toFixed(2)}x`;
  return [
    `Public pages, visitors (list ${kilobytes(htmlBytes.list)}, article ${kilobytes(htmlBytes.article)} of HTML)`,
    ...SERIES.map((series) => {
      const { requestsPerSecond, p99 } = load[series];
      return `  ${NAMES[series].padEnd(28)} ${String(requestsPerSecond).padStart(6)} req/s   p99 ${p99} ms   ${times(series)} of the minimal page`;
    }),
    `  aims: cached 5x, rendered anew 0.8x of the minimal page`,
    memory === null
      ? '  memory: this system does not say'
      : `  memory of the web process after the load: ${memory.now} MiB, at its highest ${memory.peak} MiB (aim: below 300)`,
    ...Object.entries(weights).map(
      ([name, { html, js, css }]) =>
        `  ${name}: HTML ${kilobytes(html.gzip)}, JavaScript ${kilobytes(js.gzip)} in ${js.files} files, CSS ${kilobytes(css.gzip)} in ${css.files} (gzip)`,
    ),
  ];
}
