import { DEFAULT_WATCH_ID } from '#shared/brand';
import { describeDuration, fromIso, MINUTE, SECOND, type Clock } from '#shared/clock';
import { listWebhooks } from '#shared/alerts/webhooks/webhooks';
import type { Database } from '#shared/database/schema';
import { findLogFault } from '#shared/database/upkeep';
import type { Keyring } from '#shared/secrets.server';
import { readDaemonStatus } from '#shared/monitor/heartbeat';
import { readMonitorStatus, type MonitorStatus } from '#shared/monitor/read-status.server';
import { DELIVERY_WORDS } from '#shared/alerts/deliveries/delivery-state';
import { ALERT_WORDS, listRecentAlerts } from '#shared/alerts/list-alerts';
import { readOfferFacts, type OfferFacts } from '#shared/monitor/products/list-shops';
import { formatMoney } from '#shared/money';
import { readWatch, type Watch } from '#shared/monitor/watches/watches';
import { describeHours, parseMonitoringHours } from '#shared/monitor/monitoring-hours';
import { hoursText } from '#shared/monitor/hours-text';
import { listFaults as listPaymentFaults } from '#shared/payments/payment-faults';
import { silenceLimitMs } from '#shared/monitor/silence-limit';
import { offerWords } from './offer-words';
import { formatAge, formatElapsed, formatTime } from '../local-time';
import type { CommandOutput } from '../terminal';
import { terminalLine } from '#shared/terminal-text';

/** How the tables of the commands name a verdict, as the screens do; JSON has the API's words. */
export const VERDICT_WORDS = { open: 'shop open', waiting_room: 'WAITING ROOM', unknown: 'unknown' } as const;

/** The result of a product's last check. */
const seenWords = ({ seen }: OfferFacts): string => (seen === null ? 'not checked yet' : offerWords(seen));

/** The settled state of a product. */
function settledRows(watch: Watch, { since, isHeld }: OfferFacts): [string, string][] {
  const { last_availability, last_detail, last_price_amount: amount, last_price_currency: currency } = watch;
  const price = amount === null || currency === null ? '' : `, ${formatMoney({ amount, currency })}`;
  const availability = last_availability ?? 'unknown';
  const offer = { availability, detail: last_detail, unknownReason: null } as const;
  return [
    ['Settled', `${offerWords(offer)}${price}${since === null ? '' : `, since ${formatTime(since)}`}`],
    ...(watch.discontinued_at === null
      ? []
      : ([['No longer sold', `since ${formatTime(watch.discontinued_at)}; checked once a day`]] as [
          string,
          string,
        ][])),
    ...(isHeld
      ? ([['Held back', 'all verdicts of this shop: its canary is not in stock']] as [string, string][])
      : []),
  ];
}

/** A check is old after this time, or after three intervals. */
const OLD_AFTER_MS = 5 * MINUTE;

type Webhooks = Awaited<ReturnType<typeof listWebhooks>>;
const INHERITED = { retailer: 'of the retailer', default: 'of the first watch' } as const;

/** The webhook of an audience, or the one that is used instead. */
export function describeWebhook({ webhook, inherited }: Webhooks[number]): string {
  if (webhook !== null) return webhook;
  return inherited === null
    ? 'not set'
    : `${inherited.webhook ?? 'unreadable'} (${INHERITED[inherited.from]})`;
}

type Alert = Awaited<ReturnType<typeof listRecentAlerts>>[number];

/** Whether the last check is older than what the interval explains. */
function isOld({ lastCheck, scheduler }: MonitorStatus, now: number): boolean {
  const limit = Math.max(OLD_AFTER_MS, 3 * scheduler.intervalSeconds * SECOND);
  return lastCheck !== null && now - fromIso(lastCheck) > limit;
}

function describeSilence(status: MonitorStatus, now: number): string {
  if (status.lastCheck === null) return 'There was no check yet: alerts may be missed.';
  if (isOld(status, now))
    return `The last check is old, ${formatAge(status.lastCheck, now)}: alerts may be missed.`;
  return `No conclusive check for ${describeDuration(silenceLimitMs(status.scheduler))} or more: alerts may be missed. The last one said: ${status.lastReason ?? 'nothing'}`;
}

/** The faults that prevent alerts, causes before effects; then all other faults. */
function listFaults(
  status: MonitorStatus,
  {
    redisFault,
    otherFaults,
    webhooks,
    latest,
    now,
  }: {
    redisFault: string | null;
    otherFaults: readonly string[];
    webhooks: Webhooks;
    latest: Alert | undefined;
    now: number;
  },
): string[] {
  const { online, lastHeartbeat } = status.daemon;
  const open = latest?.status === 'open' ? latest.deliveries : [];
  return [
    ...(online
      ? []
      : [`The daemon is not running: its last heartbeat was ${formatAge(lastHeartbeat, now)}.`]),
    ...(redisFault === null ? [] : [redisFault]),
    ...(online && status.silent ? [describeSilence(status, now)] : []),
    ...webhooks.flatMap(({ audience, ...own }) => {
      const { webhook, fault } = own.inherited ?? own;
      if (fault === null) return [];
      return [`The ${audience} webhook ${webhook === null ? 'cannot be used' : 'was refused'}: ${fault}`];
    }),
    ...open
      .filter(({ state }) => state === 'failed' || state === 'expired')
      .map(
        ({ audience, channel, state, lastError }) =>
          `The open alert did not reach ${audience} by ${channel}: ${DELIVERY_WORDS[state].toLowerCase()}${lastError === null ? '' : `, ${lastError}`}`,
      ),
    ...otherFaults,
  ];
}

function describeNextCheck({ scheduler, daemon }: MonitorStatus, redisFault: string | null): string {
  if (scheduler.nextCheck === null)
    return scheduler.running && !daemon.online ? 'none while the daemon is not running' : 'none planned';
  return redisFault === null ? formatTime(scheduler.nextCheck) : 'none while Redis cannot be used';
}

/**
 * `status`: what is wrong, then the monitor's state, the daemon, the webhooks and the last alert with its deliveries. Fails
 * when something is wrong. `findRedisFault` is asked when no daemon runs that could have found one.
 */
export async function showStatus(
  { db, clock }: { db: Database; clock: Clock },
  keyring: Keyring,
  watchId: string = DEFAULT_WATCH_ID,
  findRedisFault: () => Promise<string | null> = () => Promise.resolve(null),
): Promise<CommandOutput> {
  const now = clock.now();
  const watch = await readWatch(db, watchId);
  const { time_zone: timeZone } = watch;
  const offer = watch.kind === 'product' ? await readOfferFacts(db, watch) : null;
  const status = await readMonitorStatus(db, clock, watchId);
  const daemon = await readDaemonStatus(db, now);
  const redisFault = daemon.online ? daemon.redisFault : await findRedisFault();
  const webhooks = await listWebhooks({ db, keyring }, watchId);
  const [latest] = await listRecentAlerts(db, { limit: 1, watchId });
  const logFault = await findLogFault(db);
  const otherFaults = [
    ...(logFault === null ? [] : [logFault]),
    ...(await listPaymentFaults(db)).map(({ reason }) => reason),
  ];
  const faults = listFaults(status, { redisFault, otherFaults, webhooks, latest, now });
  const hours = parseMonitoringHours(status.window.hours);
  const age = isOld(status, now) && status.lastCheck !== null ? formatElapsed(status.lastCheck, now) : null;
  const rows: [string, string][] = [
    ...faults.map((fault): [string, string] => ['FAULT', fault]),
    [
      'Monitoring',
      status.scheduler.running ? `running, every ${status.scheduler.intervalSeconds} s` : 'stopped',
    ],
    [
      'Hours',
      `${hoursText(hours === null ? status.window.hours : describeHours(hours), timeZone)}${status.withinHours ? '' : `, outside them now; next ${formatTime(status.window.nextOpening, '')}`}`,
    ],
    [
      offer === null ? 'The shop shows' : 'The page shows',
      `${age === null ? '' : `OLD, seen ${age} ago: `}${offer === null ? VERDICT_WORDS[status.state] : seenWords(offer)}${status.lastReason === null ? '' : ` (${status.lastReason})`}`,
    ],
    ...(offer === null ? [] : settledRows(watch, offer)),
    [
      'Last check',
      `${age === null ? '' : 'OLD, '}${formatAge(status.lastCheck, now)}${status.lastResponseMs === null ? '' : `, ${status.lastResponseMs} ms`}`,
    ],
    ['Next check', describeNextCheck(status, redisFault)],
    [
      'Daemon',
      `${status.daemon.online ? 'alive' : 'NOT RUNNING'}, heartbeat ${formatAge(status.daemon.lastHeartbeat, now)}`,
    ],
    [
      'Alert',
      status.alert === null
        ? 'none open'
        : `open since ${formatTime(status.alert.openedAt)}, last seen ${formatAge(status.alert.lastSeenAt, now)}`,
    ],
  ];
  for (const stored of webhooks) {
    const { audience, webhook, fault } = stored;
    const note = fault === null ? '' : webhook === null ? ` (${fault})` : ` (refused: ${fault})`;
    rows.push([`Webhook ${audience}`, `${describeWebhook(stored)}${note}`]);
  }
  if (latest !== undefined) {
    rows.push(['Last alert', `${formatTime(latest.openedAt)}, ${ALERT_WORDS[latest.status]}`]);
    for (const delivery of latest.deliveries)
      rows.push([
        `  ${delivery.audience} by ${delivery.channel}`,
        `${DELIVERY_WORDS[delivery.state].toLowerCase()}${delivery.sentAt === null ? '' : ` at ${formatTime(delivery.sentAt)}`}${delivery.lastError === null ? '' : `, ${delivery.lastError}`}`,
      ]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const failed = faults.length > 0;
  return {
    lines: rows.map(([name, value]) => `${name.padEnd(width)}  ${terminalLine(value)}`),
    json: {
      success: !failed,
      ...(failed ? { code: 'monitor_fault', message: faults.join(' ') } : {}),
      ...status,
      ...(offer === null ? {} : { offer: { ...offer, availability: watch.last_availability } }),
      redisFault,
      faults,
      webhooks,
      lastAlert: latest ?? null,
    },
    failed,
  };
}
