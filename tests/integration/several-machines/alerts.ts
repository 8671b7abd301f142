import { expect } from 'vitest';
import { sealWebhook } from '#shared/alerts/webhooks/webhook-seal.server';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { Transaction } from '#shared/database/schema';
import { newId } from '#shared/ids';
import { inTransaction } from '#shared/database/transaction';
import type { Keyring } from '#shared/secrets.server';
import { enqueueCheck } from '#shared/queues/enqueue';
import { eventually } from '../../eventually';
import type { AlertMessage } from './shops';
import type { Site } from './site';

const ASK_AGAIN_MS = 2 * SECOND;
const LIMIT_MS = 3 * MINUTE;

/** Watches of which each must open one alert and send one message. */
export interface AlertRound {
  /** The messages of this round by watch. */
  messages(): Map<string, AlertMessage[]>;
  /**
   * Resolves when each watch has one alert whose message was sent: its sender knows so, or two of them were killed before
   * they could. Then stops the watches.
   */
  finish(): Promise<void>;
}

type Audience = 'instant' | 'free';

/** Adds a webhook of a watch, of the instant audience by default. */
export async function addWebhook(
  trx: Transaction,
  {
    watchId,
    url,
    keyring,
    audience = 'instant',
  }: { watchId: string; url: string; keyring: Keyring; audience?: Audience },
): Promise<void> {
  const sealed = sealWebhook(keyring, url);
  const updated_at = toIso(Date.now());
  await trx
    .insertInto('webhooks')
    .values({ watch_id: watchId, audience, sealed_url: sealed, state: 'trusted', updated_at })
    .execute();
}

/** The messages of watches, by watch. */
export function messagesOf({ shops }: Site, watchIds: readonly string[]): Map<string, AlertMessage[]> {
  const found = new Map<string, AlertMessage[]>(watchIds.map((id) => [id, []]));
  for (const message of shops.messages()) found.get(message.watchId)?.push(message);
  return found;
}

/** Whether a delivery ended because two processes were killed before they knew that it was sent. */
export const isSentTwice = (error: string | null): boolean =>
  /^two processes that sent it have ended/.test(error ?? '');

/** Waits until each watch has one alert, whose message to each of the `audiences` was sent. */
export function untilSent(
  site: Site,
  watchIds: readonly string[],
  audiences: readonly Audience[] = ['instant'],
): Promise<void> {
  return eventually(async () => {
    const rows = await site.db
      .selectFrom('alerts')
      .leftJoin('alert_deliveries', 'alert_deliveries.alert_id', 'alerts.id')
      .select(['alerts.watch_id', 'audience', 'alert_deliveries.status', 'alert_deliveries.last_error'])
      .where('alerts.watch_id', 'in', watchIds)
      .orderBy('alerts.watch_id')
      .orderBy('audience', 'desc')
      .execute();
    const ended = rows.map(({ watch_id: id, audience, status, last_error: error }) => [
      id,
      audience,
      status === 'sent' || isSentTwice(error),
    ]);
    expect(ended).toEqual(
      watchIds.toSorted().flatMap((id) => audiences.map((audience) => [id, audience, true])),
    );
  }, LIMIT_MS);
}

/** Stops the watches of a round. */
export async function stopWatches({ db }: Site, watchIds: readonly string[]): Promise<void> {
  await inTransaction(db, (trx) =>
    trx.updateTable('watches').set({ running: 0 }).where('id', 'in', watchIds).execute(),
  );
}

/** Begins a round: `count` watches whose shops show a waiting room, and asks for their checks until each has sent its alert. */
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
      await addWebhook(trx, { watchId: id, url: shops.webhookUrl(id), keyring });
    }
  });

  const messages = () => messagesOf(site, watchIds);
  const request = async () => {
    const silent = [...messages()].filter(([, sent]) => sent.length === 0).map(([id]) => id);
    for (const watchId of silent) await enqueueCheck(queues, { watchId, trigger: 'manual' });
  };
  // Redis may be down. The daemons' own schedulers ask as well, each 15 seconds.
  const requesting = setInterval(() => void request().catch(() => undefined), ASK_AGAIN_MS);
  await request().catch(() => undefined);

  return {
    messages,
    async finish() {
      try {
        await untilSent(site, watchIds);
      } finally {
        clearInterval(requesting);
      }
      await stopWatches(site, watchIds);
    },
  };
}

/** A watch that sent twice without need: a second message is one whose sender could not know that the first was accepted. */
export function wrongMessages(round: AlertRound): [string, AlertMessage[]][] {
  return [...round.messages()].filter(
    ([, [first, ...repeats]]) => first === undefined || repeats.some((repeat) => !repeat.isMarkedAsRepeat),
  );
}
