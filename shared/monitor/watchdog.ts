import { DateTime } from 'luxon';
import { addNotice, type AdminContacts, type NewNotice } from '../alerts/admin-notices';
import { describeDuration, fromIso, isPast, MINUTE, toIso } from '../clock';
import type { Delivery } from '../alerts/deliveries/deliveries';
import { DEFAULT_WATCH_ID } from '../brand';
import type { Database, Transaction } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { readDaemonStatus, type DaemonLife } from './heartbeat';
import { settingsOf, type WatchSettings } from './monitor-settings';
import { SHOP_ZONE, windowStart } from './monitoring-hours';
import { silenceLimitMs } from './silence-limit';
import { listWatches, type Watch } from './watches/watches';

/** More watches than this share one notice. */
const MAX_SINGLE_NOTICES = 3;
/** The names in such a notice. */
const MAX_NAMES = 10;
/** Longer than a restart takes. */
const DAEMON_GONE_AFTER_MS = MINUTE;
/** Time for the first check after a start. */
const DAEMON_SETTLES_MS = MINUTE;

/** Stored times as epoch ms, without those in the future: the clock was set back since, so their age is not known. */
function pastTimes(times: readonly (string | null)[], now: number): number[] {
  return times
    .filter((time) => time !== null)
    .map(fromIso)
    .filter((time) => isPast(time, now));
}

/** How long (ms) a watch may be without a conclusive check. */
const limitOf = (watch: Watch): number => silenceLimitMs({ ...settingsOf(watch), kind: watch.kind });

/** Whether the last check of a product was conclusive and the next is not due: its shop may have many products. */
function awaitsCheck(watch: Watch, now: number): boolean {
  const { kind, last_checked_at, last_conclusive_at, next_check_at } = watch;
  if (kind !== 'product' || next_check_at === null || last_checked_at === null) return false;
  return last_checked_at === last_conclusive_at && fromIso(next_check_at) > now;
}

/**
 * Since when (epoch ms) a running watch has had no conclusive check; null while it is stopped, outside its hours, or not
 * long enough without one to be silent. What a shop no longer sells is checked once a day.
 */
function silentSince(watch: Watch, settings: WatchSettings, now: number): number | null {
  if (watch.running === 0 || watch.discontinued_at !== null || awaitsCheck(watch, now)) return null;
  const limit = limitOf(watch);
  const times = pastTimes([watch.started_at, watch.last_conclusive_at], now);
  // Before the window is computed, which is slow for 200 watches.
  if (times.some((time) => now - time < limit)) return null;
  const start = windowStart(now, settings.hours, settings.timeZone);
  if (start === null) return null;
  const since = Math.max(start, ...(times.length === 0 ? [now - limit] : times));
  return now - since < limit ? null : since;
}

/**
 * Whether a watch counts as silent; the monitor screen shows the same. A daemon that has just started (`onlineSince`,
 * epoch ms) gets time for a first check.
 */
export function isSilent(
  watch: Watch,
  settings: WatchSettings,
  onlineSince: number | null,
  now: number,
): boolean {
  if (silentSince(watch, settings, now) === null) return false;
  return onlineSince === null || now - onlineSince >= DAEMON_SETTLES_MS;
}

/** "17:00:30 on 20 November", by the shop's clock. */
function formatTime(iso: string, zone: string = SHOP_ZONE): string {
  return DateTime.fromISO(iso, { zone }).setLocale('en-GB').toFormat("HH:mm:ss 'on' d MMMM");
}

/** The name of a watch in notices. */
function nameOf({ id, title }: Watch): string {
  return id === DEFAULT_WATCH_ID ? 'The monitor' : `The monitor of ${title}`;
}

/** The result of a watch's last conclusive check. */
function verdictOf({ kind, last_verdict, last_availability }: Watch): string {
  if (kind === 'product')
    return last_availability === 'out_of_stock'
      ? 'the product is sold out'
      : 'the product can be bought or ordered';
  return last_verdict === 'open' ? 'the shop is open' : 'the waiting room is open';
}

/** Whether a watch whose silence was reported has had a conclusive check since. */
function seesAgain({ last_conclusive_at: seenAt, silence_notified_at: notifiedAt }: Watch): boolean {
  return seenAt !== null && notifiedAt !== null && fromIso(seenAt) > fromIso(notifiedAt);
}

/** Whether the silence of a watch, or its end, must be reported. */
function mustReport(watch: Watch, daemon: DaemonLife, now: number): boolean {
  if (watch.silence_notified_at !== null) return seesAgain(watch);
  // Without a daemon there are no checks: one cause, one notice.
  return daemon.online && isSilent(watch, settingsOf(watch), daemon.onlineSince, now);
}

async function watchSilence(
  trx: Transaction,
  watch: Watch,
  daemon: DaemonLife,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const settings = settingsOf(watch);
  const notify = async (
    notice: Omit<NewNotice, 'watchId'>,
    notifiedAt: string | null,
  ): Promise<Delivery[]> => {
    await trx
      .updateTable('watches')
      .set({ silence_notified_at: notifiedAt })
      .where('id', '=', watch.id)
      .execute();
    return addNotice(trx, { watchId: watch.id, ...notice }, adminContacts, now);
  };
  const formatLocal = (iso: string): string => formatTime(iso, watch.time_zone);

  if (watch.silence_notified_at === null) {
    if (!isSilent(watch, settings, daemon.onlineSince, now)) return [];
    const since = silentSince(watch, settings, now) ?? now;
    const last =
      daemon.redisFault !== null || watch.last_check_id === null
        ? undefined
        : await trx
            .selectFrom('monitor_checks')
            .select(['reason', 'check_timestamp'])
            .where('id', '=', watch.last_check_id)
            .executeTakeFirst();
    return notify(
      {
        kind: 'silence_began',
        dedupeKey: `silence-began:${watch.id}:${toIso(since)}`,
        title: `${nameOf(watch)} has seen nothing for ${describeDuration(now - since)}`,
        body: `No check since ${formatLocal(toIso(since))} could say whether ${watch.kind === 'product' ? 'the product can be bought' : 'the waiting room is open'}. ${daemon.redisFault ?? (last === undefined ? 'There was no check at all.' : `The last one, at ${formatLocal(last.check_timestamp)}, said: ${last.reason}`)}${watch.kind === 'product' ? ' If the shop no longer sells it, stop or delete the watch.' : ''} Alerts may be missed until this is over.`,
      },
      toIso(now),
    );
  }
  const { last_conclusive_at: seenAt, silence_notified_at: notifiedAt } = watch;
  if (seenAt === null || !seesAgain(watch)) return [];
  return notify(
    {
      kind: 'silence_ended',
      dedupeKey: `silence-ended:${watch.id}:${notifiedAt}`,
      title: `${nameOf(watch)} sees the shop again`,
      body: `A check at ${formatLocal(seenAt)} reached a verdict: ${verdictOf(watch)}.`,
    },
    null,
  );
}

/**
 * Reports the silence of many watches, or its end, in one notice: they have one cause, such as a lost network, and two
 * hundred notices would delay each other.
 */
async function reportTogether(
  trx: Transaction,
  watches: readonly Watch[],
  state: 'began' | 'ended',
  { redisFault }: DaemonLife,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const ids = watches.map(({ id }) => id);
  await trx
    .updateTable('watches')
    .set({ silence_notified_at: state === 'began' ? toIso(now) : null })
    .where('id', 'in', ids)
    .execute();
  const named = watches.slice(0, MAX_NAMES).map(({ title }) => title);
  const others = watches.length - named.length;
  const shortest = Math.min(...watches.map(limitOf));
  const names = `${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`;
  const notice =
    state === 'began'
      ? {
          title: `${watches.length} monitors have seen nothing for ${describeDuration(shortest)}`,
          body: `No check could say what these pages show: ${names}. ${redisFault ?? 'Each monitor screen shows what its last check saw.'} Alerts may be missed until this is over.`,
        }
      : {
          title: `${watches.length} monitors see their shops again`,
          body: `Checks reach a verdict: ${names}.`,
        };
  const dedupeKey = `silence-${state}:${toIso(now)}:${ids[0]}`;
  return addNotice(
    trx,
    { watchId: null, kind: `silence_${state}`, dedupeKey, ...notice },
    adminContacts,
    now,
  );
}

/** Reports the silence of these watches, or its end: separately where a watch has its own admin webhook. */
async function reportSilence(
  trx: Transaction,
  watches: readonly Watch[],
  daemon: DaemonLife,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  const notices: Delivery[] = [];
  const hooks = await trx.selectFrom('webhooks').select('watch_id').where('audience', '=', 'admin').execute();
  const hasOwnWebhook = ({ id }: Watch): boolean => hooks.some((hook) => hook.watch_id === id);
  for (const state of ['began', 'ended'] as const) {
    const changed = watches.filter((watch) => (watch.silence_notified_at === null) === (state === 'began'));
    const shared = changed.filter((watch) => !hasOwnWebhook(watch));
    const together = shared.length > MAX_SINGLE_NOTICES ? shared : [];
    if (together.length > 0)
      notices.push(...(await reportTogether(trx, together, state, daemon, adminContacts, now)));
    for (const watch of changed)
      if (!together.includes(watch))
        notices.push(...(await watchSilence(trx, watch, daemon, adminContacts, now)));
  }
  return notices;
}

async function watchDaemon(
  trx: Transaction,
  running: readonly Watch[],
  daemon: DaemonLife,
  adminContacts: AdminContacts,
  { now, watchedForMs }: { now: number; watchedForMs: number },
): Promise<Delivery[]> {
  const { gone_notified_at: notifiedAt } = await trx
    .selectFrom('daemon_state')
    .select('gone_notified_at')
    .executeTakeFirstOrThrow();
  const notify = async (notice: Omit<NewNotice, 'watchId'>, notified: string | null): Promise<Delivery[]> => {
    await trx.updateTable('daemon_state').set({ gone_notified_at: notified }).execute();
    return addNotice(trx, { watchId: null, ...notice }, adminContacts, now);
  };

  if (notifiedAt === null) {
    const startedAt = running.map((watch) => watch.started_at);
    const newest = Math.max(0, ...pastTimes([...startedAt, daemon.lastHeartbeat], now));
    if (daemon.online || Math.min(now - newest, watchedForMs) < DAEMON_GONE_AFTER_MS) return [];
    const effect =
      running.length === 0 ? '' : 'Nothing is checked and no alert goes out until it runs again. ';
    return notify(
      {
        kind: 'daemon_gone',
        dedupeKey: `daemon-gone:${daemon.lastHeartbeat ?? 'never'}:${startedAt.join()}`,
        title: 'The daemon does not answer',
        body: `${daemon.lastHeartbeat === null ? 'It has never reported.' : `Its last heartbeat was at ${formatTime(daemon.lastHeartbeat)}.`} ${effect}Sign-in codes, other emails and payments wait for it.`,
      },
      toIso(now),
    );
  }
  if (!daemon.online) return [];
  return notify(
    {
      kind: 'daemon_back',
      dedupeKey: `daemon-back:${notifiedAt}`,
      title: 'The daemon is back',
      body: 'Checks, alerts, emails and payments continue.',
    },
    null,
  );
}

/**
 * The watchdog: notifies the admins once when a running watch has no conclusive check or the daemon is offline, and
 * once when that has ended. Any process may run it, at any rate. `watchedForMs`: for how long this process has watched; the
 * daemon that starts together with it gets a minute for its first heartbeat. Returns the notices to send.
 */
export async function watchMonitor(
  db: Database,
  {
    adminContacts,
    now,
    watchedForMs = Infinity,
  }: { adminContacts: AdminContacts; now: number; watchedForMs?: number },
): Promise<Delivery[]> {
  const isRunning = (watch: Watch): boolean => watch.running === 1;
  const readReports = async (reader: Database) => {
    const running = (await listWatches(reader)).filter(isRunning);
    const daemon = await readDaemonStatus(reader, now);
    const { gone_notified_at } = await reader
      .selectFrom('daemon_state')
      .select('gone_notified_at')
      .executeTakeFirstOrThrow();
    const silence = running.filter((watch) => mustReport(watch, daemon, now));
    // `watchDaemon` has something to report only while these two agree.
    const isDue = silence.length > 0 || daemon.online === (gone_notified_at !== null);
    return { running, daemon, silence, isDue };
  };
  // The write lock is taken only when there is something to report.
  if (!(await readReports(db)).isDue) return [];
  return inTransaction(db, async (trx) => {
    const { running, daemon, silence, isDue } = await readReports(trx);
    if (!isDue) return [];
    const notices = await watchDaemon(trx, running, daemon, adminContacts, { now, watchedForMs });
    notices.push(...(await reportSilence(trx, silence, daemon, adminContacts, now)));
    return notices;
  });
}
