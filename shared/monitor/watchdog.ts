import type { Transaction } from 'kysely';
import { DateTime } from 'luxon';
import { addNotice, type AdminContacts } from '../alerts/admin-notices';
import { durationWords } from '../alerts/duration-words';
import type { Delivery } from '../alerts/deliveries';
import { fromIso, MINUTE, toIso } from '../clock';
import type { Database } from '../database/connection.server';
import type { Schema } from '../database/schema';
import { inTransaction } from '../database/transaction';
import { readMonitorState, type MonitorState } from './check-lease';
import { readDaemonStatus, type DaemonLife } from './heartbeat';
import { readMonitorSettings, type MonitorSettings } from './monitor-settings';
import { SHOP_ZONE, windowStart } from './monitoring-hours';

/** This long without a conclusive verdict inside the hours is told to the admins. */
const SILENCE_TOLD_AFTER_MS = 5 * MINUTE;
/** A restart takes seconds; a daemon away for longer is gone. */
const DAEMON_GONE_AFTER_MS = MINUTE;
/** Time for a first look after a start. */
const DAEMON_SETTLES_MS = MINUTE;

/**
 * Since when (epoch ms) the monitor has seen nothing conclusive although it should have; null while it need not
 * (stopped, or outside the hours).
 */
function silentSince(state: MonitorState, settings: MonitorSettings, now: number): number | null {
  const start = windowStart(now, settings.hours);
  if (state.running === 0 || start === null) return null;
  const times = [state.started_at, state.last_conclusive_at].filter((time) => time !== null).map(fromIso);
  return Math.max(start, ...times);
}

/**
 * Whether the admins should be worried now; the monitor screen shows the same. A daemon that has just come up
 * (`onlineSince`, epoch ms) may look first.
 */
export function isSilent(
  state: MonitorState,
  settings: MonitorSettings,
  onlineSince: number | null,
  now: number,
): boolean {
  const since = silentSince(state, settings, now);
  if (since === null || now - since < SILENCE_TOLD_AFTER_MS) return false;
  return onlineSince === null || now - onlineSince >= DAEMON_SETTLES_MS;
}

/** "17:00:30 on 20 November", by the shop's clock. */
function spokenTime(iso: string): string {
  return DateTime.fromISO(iso, { zone: SHOP_ZONE }).setLocale('en-GB').toFormat("HH:mm:ss 'on' d MMMM");
}

async function watchSilence(
  trx: Transaction<Schema>,
  state: MonitorState,
  settings: MonitorSettings,
  daemon: DaemonLife,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  if (state.silence_told_at === null) {
    if (!isSilent(state, settings, daemon.onlineSince, now)) return [];
    const since = silentSince(state, settings, now) ?? now;
    await trx
      .updateTable('monitor_state')
      .set({ silence_told_at: toIso(now) })
      .execute();
    const last =
      state.last_check_id === null
        ? undefined
        : await trx
            .selectFrom('monitor_checks')
            .select(['reason', 'check_timestamp'])
            .where('id', '=', state.last_check_id)
            .executeTakeFirst();
    return addNotice(
      trx,
      {
        kind: 'silence_began',
        dedupeKey: `silence-began:${toIso(since)}`,
        title: `The monitor has seen nothing for ${durationWords(now - since)}`,
        body: `No check since ${spokenTime(toIso(since))} could say whether the waiting room is open. ${last === undefined ? 'There was no check at all.' : `The last one, at ${spokenTime(last.check_timestamp)}, said: ${last.reason}`} Alerts may be missed until this is over.`,
      },
      adminContacts,
      now,
    );
  }
  if (
    state.last_conclusive_at === null ||
    fromIso(state.last_conclusive_at) <= fromIso(state.silence_told_at)
  )
    return [];
  await trx.updateTable('monitor_state').set({ silence_told_at: null }).execute();
  return addNotice(
    trx,
    {
      kind: 'silence_ended',
      dedupeKey: `silence-ended:${state.silence_told_at}`,
      title: 'The monitor sees the shop again',
      body: `A check at ${spokenTime(state.last_conclusive_at)} reached a verdict: ${state.last_verdict === 'open' ? 'the shop is open' : 'the waiting room is open'}.`,
    },
    adminContacts,
    now,
  );
}

async function watchDaemon(
  trx: Transaction<Schema>,
  state: MonitorState,
  daemon: DaemonLife,
  adminContacts: AdminContacts,
  now: number,
): Promise<Delivery[]> {
  if (state.daemon_gone_told_at === null) {
    const times = [state.started_at, daemon.lastHeartbeat].filter((time) => time !== null).map(fromIso);
    if (state.running === 0 || daemon.online || now - Math.max(0, ...times) < DAEMON_GONE_AFTER_MS) return [];
    await trx
      .updateTable('monitor_state')
      .set({ daemon_gone_told_at: toIso(now) })
      .execute();
    return addNotice(
      trx,
      {
        kind: 'daemon_gone',
        dedupeKey: `daemon-gone:${daemon.lastHeartbeat ?? 'never'}:${state.started_at ?? ''}`,
        title: 'The daemon does not answer',
        body: `${daemon.lastHeartbeat === null ? 'It was never heard of.' : `Its last heartbeat was at ${spokenTime(daemon.lastHeartbeat)}.`} Nothing is checked and no alert goes out until it runs again.`,
      },
      adminContacts,
      now,
    );
  }
  if (!daemon.online) return [];
  await trx.updateTable('monitor_state').set({ daemon_gone_told_at: null }).execute();
  return addNotice(
    trx,
    {
      kind: 'daemon_back',
      dedupeKey: `daemon-back:${state.daemon_gone_told_at}`,
      title: 'The daemon is back',
      body: 'Checks and alerts go on.',
    },
    adminContacts,
    now,
  );
}

/**
 * The dead-man's switch: tells the admins once when the monitor went blind or its daemon is gone, and once when it
 * is over. Any process may run it, as often as it likes. Returns the notices to send.
 */
export async function watchMonitor(
  db: Database,
  { adminContacts, now }: { adminContacts: AdminContacts; now: number },
): Promise<Delivery[]> {
  const quiet = await readMonitorState(db);
  if (quiet.running === 0) return [];
  return inTransaction(db, async (trx) => {
    const state = await readMonitorState(trx);
    const daemon = await readDaemonStatus(trx, now);
    const settings = await readMonitorSettings(trx);
    const gone = await watchDaemon(trx, state, daemon, adminContacts, now);
    // Without a daemon there is no check to wait for: one cause, one notice.
    const silence =
      daemon.online || state.silence_told_at !== null
        ? await watchSilence(trx, state, settings, daemon, adminContacts, now)
        : [];
    return [...gone, ...silence];
  });
}
