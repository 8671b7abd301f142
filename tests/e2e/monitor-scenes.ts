import { DateTime } from 'luxon';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, SECOND, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { newId } from '#shared/ids';
import { SHOP_ZONE } from '#shared/monitor/monitoring-hours';
import type { Verdict } from '#shared/monitor/checks/verdict';

/** The states of the monitor that the landing page displays. */
export const SCENES = [
  'open',
  'live',
  'suspected',
  'unknown',
  'stopped',
  'resting',
  'offline',
  'no-check-yet',
] as const;
export type Scene = (typeof SCENES)[number];

const TARGET = 'https://shop.example/';

interface SceneFacts {
  running: 0 | 1;
  /** How old the daemon's last heartbeat is; one from the near future stays fresh while a test looks. */
  daemonBeatAgoMs: number;
  withinHours: boolean;
  /** The last hours, newest last: how long each verdict held. Empty: never looked. */
  history: [Verdict, number][];
  alertOpenForMs: number | null;
}

const CALM: SceneFacts = {
  running: 1,
  daemonBeatAgoMs: -15 * SECOND,
  withinHours: true,
  history: [
    ['open', 5 * HOUR],
    ['unknown', 12 * MINUTE],
    ['open', 2 * HOUR],
    ['waiting_room', 39 * MINUTE],
    ['open', 90 * MINUTE],
  ],
  alertOpenForMs: null,
};

const FACTS: Record<Scene, SceneFacts> = {
  open: CALM,
  live: {
    ...CALM,
    history: [...CALM.history, ['waiting_room', 4 * MINUTE]],
    alertOpenForMs: 4 * MINUTE + 12 * SECOND,
  },
  // Longer than the head start, so that visitors see it, too.
  suspected: { ...CALM, history: [...CALM.history, ['waiting_room', MINUTE]] },
  unknown: { ...CALM, history: [...CALM.history, ['unknown', 6 * MINUTE]] },
  stopped: { ...CALM, running: 0 },
  resting: { ...CALM, withinHours: false },
  offline: { ...CALM, daemonBeatAgoMs: 7 * MINUTE },
  'no-check-yet': { ...CALM, history: [] },
};

/** Whole-hour windows in London that do or do not hold `now`. */
function hoursAround(now: number, within: boolean): string {
  if (within) return '0-24';
  const { hour } = DateTime.fromMillis(now, { zone: SHOP_ZONE });
  return hour >= 22 ? '9-21' : `${hour + 1}-${hour + 2}`;
}

const REASONS: Record<Verdict, string> = {
  open: 'The shop answers with an ordinary page.',
  waiting_room: 'The page is the frame of a waiting room.',
  unknown: 'The shop refused the request with status 403.',
};

const QUIET_FIELDS = {
  target_url: TARGET,
  final_url: TARGET,
  error_message: null,
  raw_response_length: 0,
  scrappey_status: 'disabled',
  scrappey_request_id: null,
  scrappey_calls: 0,
  proxy_used: null,
  content_analysis: '{}',
  response_headers: '{}',
  alert_id: null,
} as const;

/** Puts the database into a scene as of `now` (epoch ms), whatever it held before. */
export async function setScene(db: Database, scene: Scene, now: number): Promise<void> {
  const facts = FACTS[scene];
  for (const table of [
    'alert_deliveries',
    'monitor_checks',
    'alerts',
    'daemon_heartbeats',
    'monitor_settings',
    'webhooks',
  ] as const) {
    await db.deleteFrom(table).execute();
  }

  const lastLookAt = now - 18 * SECOND;
  let from = lastLookAt - facts.history.reduce((sum, [, lasted]) => sum + lasted, 0);
  const checks = facts.history.flatMap(([verdict, lasted], part) => {
    const until = from + lasted;
    const last = part === facts.history.length - 1;
    const times: number[] = [];
    for (let at = from; last ? at <= until : at < until; at += MINUTE) times.push(at);
    from = until;
    return times.map((at) => ({ id: newId(), verdict, at }));
  });
  for (const { id, verdict, at } of checks) {
    await db
      .insertInto('monitor_checks')
      .values({
        ...QUIET_FIELDS,
        id,
        watch_id: DEFAULT_WATCH_ID,
        trigger: 'schedule',
        started_at: toIso(at - 412),
        check_timestamp: toIso(at),
        verdict,
        strength: verdict === 'waiting_room' ? 'strong' : null,
        reason: REASONS[verdict],
        queue_detected: verdict === 'waiting_room' ? 1 : 0,
        response_time_ms: 412,
        http_status_code: 200,
        alert_sent: 0,
      })
      .execute();
  }

  const lastCheck = checks.at(-1);
  await db
    .updateTable('watches')
    .set({
      hours: hoursAround(now, facts.withinHours),
      running: facts.running,
      last_check_id: lastCheck?.id ?? null,
      last_verdict: lastCheck?.verdict ?? null,
      last_checked_at: lastCheck === undefined ? null : toIso(lastCheck.at),
      last_conclusive_at: lastCheck === undefined ? null : toIso(lastCheck.at),
      not_before: null,
    })
    .where('id', '=', DEFAULT_WATCH_ID)
    .execute();
  await db
    .insertInto('daemon_heartbeats')
    .values({
      id: newId(),
      host: 'scene',
      pid: 1,
      started_at: toIso(now - HOUR),
      beat_at: toIso(now - facts.daemonBeatAgoMs),
      stopped_at: null,
      redis_ok: 1,
    })
    .execute();
  if (facts.alertOpenForMs !== null && lastCheck !== undefined)
    await openAlert(db, now - facts.alertOpenForMs, lastCheck.id, lastCheck.at);
}

async function openAlert(db: Database, openedAt: number, checkId: string, lastSeenAt: number): Promise<void> {
  const alertId = newId();
  await db
    .insertInto('alerts')
    .values({
      id: alertId,
      watch_id: DEFAULT_WATCH_ID,
      target_url: TARGET,
      status: 'open',
      strength: 'strong',
      opened_at: toIso(openedAt),
      last_seen_at: toIso(lastSeenAt),
      closed_at: null,
      suspended_at: null,
      revision: 1,
      opening_check_id: checkId,
      closing_check_id: null,
    })
    .execute();
  for (const [audience, delay] of [
    ['instant', 0],
    ['free', 30 * SECOND],
  ] as const) {
    await db
      .insertInto('alert_deliveries')
      .values({
        id: newId(),
        alert_id: alertId,
        notice_id: null,
        audience,
        channel: 'discord',
        destination: audience === 'instant' ? 'discord_webhook_url' : 'discord_webhook_url_free',
        status: 'sent',
        due_at: toIso(openedAt + delay),
        expires_at: toIso(openedAt + 10 * MINUTE),
        attempts: 1,
        claimed_by: null,
        claimed_until: null,
        message_id: '1',
        sent_at: toIso(openedAt + delay + 86),
        response_ms: 86,
        last_status: 200,
        last_error: null,
        created_at: toIso(openedAt),
        updated_at: toIso(openedAt + delay + 86),
      })
      .execute();
  }
}
