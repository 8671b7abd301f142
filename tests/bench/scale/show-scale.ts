import type { LatencyReport } from '../alert-latency';
import type { Figures } from '../figures';
import { ADDED_MS, INTERVAL_SECONDS, WATCHES, type PageFigures, type ScaleReport } from './measure-scale';

const AIMS = { alertP50Ms: 25, consumeP99Ms: 50 };

const ms = (value: number): string => value.toFixed(value < 10 ? 2 : 0);
const figures = ({ p50, p99, n }: Figures): string => `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms, n ${n}`;

/** Formats the figures as lines of text. Ratios are to the first site, which is on SQLite. */
export function showScale({ roundTrip, alerts, sites }: ScaleReport): string[] {
  const table = (title: string, describe: (site: ScaleReport['sites'][number]) => string): string[] => [
    title,
    ...sites.map((site) => `  ${site.label.padEnd(30)} ${describe(site)}`),
  ];
  const page = (pick: (site: ScaleReport['sites'][number]) => PageFigures) => {
    const base = sites[0] === undefined ? Number.NaN : pick(sites[0]).requestsPerSecond;
    return (site: ScaleReport['sites'][number]): string => {
      const { requestsPerSecond, p99, processorMs } = pick(site);
      return `${requestsPerSecond}/s (${(requestsPerSecond / base).toFixed(2)}x), p99 ${ms(p99)} ms, ${processorMs.toFixed(2)} ms of processor time a request`;
    };
  };
  const alert = ({ alert: own, hop }: LatencyReport): string =>
    `${figures(own)}; ${(own.p50 / hop.p50).toFixed(1)}x a bare queue hop`;
  return [
    `Everything on this machine, PostgreSQL without fsync and behind a proxy that adds ${ADDED_MS} ms: a round trip takes ${ms(roundTrip.delayed)} ms, without the proxy ${ms(roundTrip.direct)} ms`,
    'From the shop’s answer to the arrival of the webhook request, alone',
    `  ${'SQLite'.padEnd(30)} ${alert(alerts.sqlite)}`,
    `  ${'PostgreSQL'.padEnd(30)} ${alert(alerts.postgres)} (aim: p50 ${AIMS.alertP50Ms} ms)`,
    ...table(
      '/news, cached',
      page((site) => site.cached),
    ),
    ...table(
      '/news, rendered anew',
      page((site) => site.rendered),
    ),
    ...table(
      `Consuming tokens, 200 a second, every ledger exact (aim: p99 ${AIMS.consumeP99Ms} ms)`,
      ({ consume: { time, refused } }) =>
        `${figures(time)} (p50 ${(time.p50 / (sites[0]?.consume.time.p50 ?? Number.NaN)).toFixed(1)}x), refused ${refused}`,
    ),
    ...table(
      `${WATCHES} watches every ${INTERVAL_SECONDS} s`,
      ({ crowd, daemonShares }) =>
        `a check after its planned time: ${figures(crowd.lateness)}; missing ${crowd.missing}; alert: ${figures(crowd.alerts)}; lost ${crowd.lostMessages}; daemons: ${daemonShares.map((share) => `${(share * 100).toFixed(0)} %`).join(' and ')} of one core`,
    ),
  ];
}
