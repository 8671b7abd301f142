import { expect } from 'vitest';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { inTransaction } from '#shared/database/transaction';
import { enqueueCheck } from '#shared/queues/enqueue';
import { eventually } from '../../eventually';
import type { AlertMessage } from './shops';
import type { Site } from './site';

const ASK_AGAIN_MS = 2 * SECOND;
const LIMIT_MS = 3 * MINUTE;

/** Starts watches whose shops show a waiting room, and asks for their checks until each has sent its alert. */
export interface AlertRound {
  watchIds: readonly string[];
  /** The messages of this round by watch. */
  messages(): Map<string, AlertMessage[]>;
  /**
   * Resolves when each watch has one alert whose message was sent: its sender knows so, or two of them were killed before
   * they could. Then stops the watches.
   */
  finish(): Promise<void>;
}

/** Begins a round: `count` watches, of which each must open one alert and send one message. */
export async function beginAlerts(site: Site, count: number): Promise<AlertRound> {
  const { shops, queues, keyring } = site;
  const watchIds = Array.from({ length: count }, () => `watch-${newId()}`);
  await inTransaction(site.db, async (trx) => {
    for (const id of watchIds) {
      const now = toIso(Date.now());
      await trx
        .insertInto('watches')
        .values({
          id,
          slug: id,
          shop: id,
          title: id,
          url: shops.pageUrl(id),
          time_zone: 'Europe/London',
          hours: '0-24',
          interval_seconds: 15,
          running: 1,
          started_at: now,
        })
        .execute();
      const sealed = sealWebhook(keyring, shops.webhookUrl(id));
      await trx
        .insertInto('webhooks')
        .values({ watch_id: id, audience: 'instant', sealed_url: sealed, state: 'trusted', updated_at: now })
        .execute();
    }
  });

  const messages = () => {
    const found = new Map<string, AlertMessage[]>(watchIds.map((id) => [id, []]));
    for (const message of shops.messages()) found.get(message.watchId)?.push(message);
    return found;
  };
  const request = async () => {
    const silent = [...messages()].filter(([, sent]) => sent.length === 0).map(([id]) => id);
    for (const watchId of silent) await enqueueCheck(queues, { watchId, trigger: 'manual' });
  };
  // Redis may be down. The daemons' own schedulers ask as well, each 15 seconds.
  const requesting = setInterval(() => void request().catch(() => undefined), ASK_AGAIN_MS);
  await request().catch(() => undefined);

  return {
    watchIds,
    messages,
    async finish() {
      try {
        await eventually(async () => {
          const rows = await site.db
            .selectFrom('alerts')
            .leftJoin('alert_deliveries', 'alert_deliveries.alert_id', 'alerts.id')
            .select(['alerts.watch_id', 'alert_deliveries.status', 'alert_deliveries.last_error'])
            .where('alerts.watch_id', 'in', watchIds)
            .orderBy('alerts.watch_id')
            .execute();
          const ended = rows.map(({ watch_id: id, status, last_error: error }) => [
            id,
            status === 'sent' || /^it was sent twice without an answer/.test(error ?? ''),
          ]);
          expect(ended).toEqual(watchIds.toSorted().map((id) => [id, true]));
        }, LIMIT_MS);
      } finally {
        clearInterval(requesting);
      }
      await inTransaction(site.db, (trx) =>
        trx.updateTable('watches').set({ running: 0 }).where('id', 'in', watchIds).execute(),
      );
    },
  };
}

/** A watch that sent twice without need: a second message is one whose sender could not know that the first was accepted. */
export function wrongMessages(round: AlertRound): [string, AlertMessage[]][] {
  return [...round.messages()].filter(
    ([, [first, ...repeats]]) => first === undefined || repeats.some((repeat) => !repeat.isMarkedAsRepeat),
  );
}
