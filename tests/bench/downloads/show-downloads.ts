import type { DownloadFigures, DownloadLoad } from './measure-downloads';

const MEBIBYTE = 1024 * 1024;

function showLoad(name: string, load: DownloadLoad, idle: DownloadLoad): string[] {
  const { report, page, memory } = load;
  const speed =
    report === null
      ? ''
      : `${Math.round(report.bytes / MEBIBYTE / (report.ms / 1000))} MiB/s together, ${report.whole} whole files`;
  const moved =
    memory === null
      ? 'memory: this system does not say'
      : `memory of the web process ${memory.before} MiB before, at its highest ${memory.peak} MiB: +${memory.peak - memory.before} (aim: below 50)`;
  const slower = (page.p50 / idle.page.p50 - 1) * 100;
  return [
    `  ${name}: ${speed}`,
    `    ${moved}`,
    `    /news, rendered anew: p50 ${page.p50.toFixed(1)} ms, p99 ${page.p99.toFixed(1)} ms of ${page.n}: ${slower.toFixed(0)} % slower than idle (aim: below 50 %)`,
  ];
}

/** Formats the figures as lines of text. */
export function showDownloads({ fileBytes, clients, idle, fullSpeed, lines }: DownloadFigures): string[] {
  return [
    `Downloads: ${clients} clients at once, ${fileBytes / MEBIBYTE} MiB each; a visitor loads a page beside them`,
    `  idle: /news, rendered anew: p50 ${idle.page.p50.toFixed(1)} ms, p99 ${idle.page.p99.toFixed(1)} ms of ${idle.page.n}`,
    ...showLoad('as fast as this machine', fullSpeed, idle),
    ...showLoad('20 Mbit/s each, for 20 s', lines, idle),
  ];
}
