import { SECOND } from '#shared/clock';
import type { Figures } from '../figures';
import type { CrowdAlert, MembersReport, Reached } from './measure-members';
import type { SilentHostsReport } from './measure-silent-hosts';

const seconds = (ms: number): string => `${(ms / SECOND).toFixed(1)} s`;
const milliseconds = ({ p50, p99, max, n }: Figures): string =>
  `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms, n ${n}`;

function lineOf(name: string, { after, twice, result }: Reached, aim: string): string {
  const states =
    result === null
      ? 'none'
      : `sent ${result.sent}, failed ${result.failed}, expired ${result.expired}, cancelled ${result.cancelled}`;
  return `  ${name}  half after ${seconds(after.p50)}, 99 in 100 after ${seconds(after.p99)}, the last after ${seconds(after.max)} (aim: ${aim}); ${states}; twice: ${twice}`;
}

function linesOf(alert: CrowdAlert): string[] {
  return [
    lineOf('push', alert.push, '30 s'),
    lineOf('mail', alert.mail, '120 s'),
    `  forgotten: ${alert.forgotten}${alert.freeAfterMs === null ? '' : `; free audience after ${seconds(alert.freeAfterMs)} (aim: not before 30 s)`}`,
  ];
}

/** What the benchmark of member alerts found, in lines. */
export function showMembers({ members, alert, killed, instant, daemonMiB }: MembersReport): string[] {
  return [
    `An alert to ${members} members, each by mail and push; one in ten slow, one in ten failing once, one in a hundred gone`,
    ...linesOf(alert),
    `The same with kill -9 of the daemon, ${killed.kills} times`,
    ...linesOf(killed),
    'From the shop’s answer to the instant message of another watch',
    `  without            ${milliseconds(instant.without)}`,
    `  during the sending ${milliseconds(instant.during)}`,
    `Daemon: ${daemonMiB} MiB after the first alert`,
  ];
}

/** What the benchmark of silent push services found, in lines. */
export function showSilentHosts(reports: readonly SilentHostsReport[]): string[] {
  return [
    'An alert to 2,000 browsers: when those of a push service that answers were reached (aim: 2 s), beside',
    ...reports.map(
      ({ beside, browsers, after }) =>
        `  ${beside}: half of ${browsers} after ${seconds(after.p50)}, the last after ${seconds(after.max)}`,
    ),
  ];
}
