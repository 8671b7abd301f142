import { describeAttempts } from '#shared/alerts/deliveries/describe-attempts';
import { DELIVERY_WORDS } from '#shared/alerts/deliveries/delivery-state';
import { ALERT_WORDS, listRecentAlerts } from '#shared/alerts/list-alerts';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, toIso, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { HISTORY_PAGE, listChecks, MAX_HISTORY_HOURS } from '#shared/monitor/checks/reading/checks';
import { storedAnalysisSchema, type Judgement } from '#shared/monitor/checks/verdict';
import { shorten } from '#shared/text';
import { readCount } from '../arguments';
import { formatTime } from '../local-time';
import { formatTable, type CommandOutput } from '../terminal';
import { terminalLine } from '#shared/terminal-text';
import { offerWords } from './offer-words';
import { VERDICT_WORDS } from './show-status';

const REASON_WIDTH = 70;

interface HistoryInput {
  hours?: string | undefined;
  limit?: string | undefined;
  before?: string | undefined;
}

/** Reads --hours and --limit. Throws a `UsageError`. */
export function readPeriod({ hours = '24', limit = String(HISTORY_PAGE.default) }: HistoryInput): {
  hours: number;
  limit: number;
} {
  return {
    hours: readCount(hours, '--hours', MAX_HISTORY_HOURS),
    limit: readCount(limit, '--limit', HISTORY_PAGE.max),
  };
}

/** The result of a check, in words for its kind of watch. */
const verdictWords = ({ verdict, product }: Judgement): string =>
  product === undefined ? VERDICT_WORDS[verdict] : offerWords(product);

/** `history`: a page of checks, newest first, and the alerts of the same period with their deliveries. */
export async function showHistory(
  { db, clock }: { db: Database; clock: Clock },
  input: HistoryInput,
  watchId: string = DEFAULT_WATCH_ID,
): Promise<CommandOutput> {
  const { hours, limit } = readPeriod(input);
  const { before } = input;
  const { checks: history, next } = await listChecks(db, {
    hours,
    limit,
    before,
    clock,
    watchId,
  });
  const newest = history[0]?.check_timestamp;
  const oldest = history.at(-1)?.check_timestamp;
  const alerts = await listRecentAlerts(db, {
    limit: 200,
    watchId,
    from: next === null || oldest === undefined ? toIso(clock.now() - hours * HOUR) : oldest,
    ...(before === undefined || newest === undefined ? {} : { to: newest }),
  });
  const rows = history.map((check) => {
    const judged = storedAnalysisSchema.safeParse(check.content_analysis).data;
    const said = [judged?.product?.reason ?? judged?.reason ?? '', judged?.held ?? []].flat().join(' ');
    const reason = check.error_message ?? said;
    return [
      formatTime(check.check_timestamp),
      judged === undefined ? '?' : verdictWords(judged),
      String(check.http_status_code ?? '-'),
      `${check.response_time_ms} ms`,
      check.alert_sent ? 'alert' : '',
      shorten(reason, { fits: REASON_WIDTH }),
    ];
  });
  return {
    lines: [
      rows.length === 0
        ? `No check in the last ${hours} hours.`
        : formatTable([['time', 'verdict', 'http', 'took', 'sent', 'why'], ...rows]),
      ...(next === null
        ? []
        : [
            '',
            `Older checks: npm run monitor -- history --hours ${hours} --limit ${limit} --before ${next}`,
          ]),
      ...alerts.flatMap((alert) => [
        '',
        `Alert of ${formatTime(alert.openedAt)}: ${ALERT_WORDS[alert.status]}${alert.closedAt === null ? '' : ` at ${formatTime(alert.closedAt)}`}`,
        ...alert.deliveries.map(
          (delivery) =>
            `  ${delivery.audience} by ${delivery.channel}: ${DELIVERY_WORDS[delivery.state].toLowerCase()}${delivery.sentAt === null ? '' : ` at ${formatTime(delivery.sentAt)}`}${describeAttempts(delivery) === '' ? '' : `, ${describeAttempts(delivery)}`}${delivery.lastError === null ? '' : `, ${terminalLine(delivery.lastError)}`}`,
        ),
      ]),
    ],
    json: { success: true, history, next, alerts },
  };
}
