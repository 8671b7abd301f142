import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { createSession } from '#shared/accounts/sessions';
import { MINUTE, SECOND, systemClock, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { eventually } from '../../eventually';
import { storeCheck } from '../alerts/finished-check';
import { freshAddress } from '../api/api-fixture';
import { addMember } from '../member-alerts/crowd';
import { insertFollowedProduct } from '../member-alerts/product-follower';
import { OUT, productCheck } from '../monitor/product-watch';
import { addWebhook, isSentTwice, messagesOf, stopWatches, untilSent, type AlertRound } from './alerts';
import type { Site } from './site';

const FOLLOWERS = 2;
/** Members follow the products within this time; then the products come back in stock. */
const SPREAD_MS = 4 * SECOND;
/** The delay of the free message, instead of 30 seconds, so that it also falls into the fault. */
const FREE_WITHIN_MS = 4 * SECOND;
const AUDIENCES = ['instant', 'free'] as const;
const LIMIT_MS = 3 * MINUTE;

/** The name of a webhook of a watch at the stand-in. */
const channelOf = (watchId: string, audience: (typeof AUDIENCES)[number]): string => `${watchId}-${audience}`;

/** Products that come back in stock, each at its own shop, and the members who follow them. */
export interface RestockRound extends AlertRound {
  /** Messages to members that are missing, came more than twice, or whose repeat is not recognisable. */
  wrongNotices(): string[];
  /** Messages to members that came a second time. */
  repeatedNotices(): string[];
}

/**
 * Begins a round: members follow `count` products by requests to both web processes, then each product is in stock again, and
 * must open one alert, send one message to each audience, and tell each follower by mail and as a notification.
 */
export async function beginRestocks(site: Site, count: number): Promise<RestockRound> {
  const { sandbox } = site;
  const { products } = sandbox.shop;
  sandbox.mails.clear();
  sandbox.push.clear();
  const followers = await Promise.all(
    Array.from({ length: FOLLOWERS }, async () => {
      const name = `follower-${newId()}`;
      const id = await inTransaction(site.db, (trx) =>
        addMember({ db: trx, sandbox }, name, { alerts: { push: true, watches: [] } }),
      );
      const { token } = await createSession(site.db, { accountId: id, userAgent: null, clock: systemClock });
      const { endpoint } = await site.db
        .selectFrom('push_subscriptions')
        .select('endpoint')
        .where('user_id', '=', id)
        .executeTakeFirstOrThrow();
      return { token, receivers: [`${name}@example.test`, endpoint.split('/').at(-1) ?? ''] };
    }),
  );
  const offers = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const name = `chest-${newId()}`;
      const shop = await products.putHost(`shop-${index}`);
      const url = products.url(name, shop.name);
      products.put(name, { name, state: 'in_stock' });
      const watchId = await inTransaction(site.db, (trx) => insertFollowedProduct(trx, { url, title: name }));
      await storeCheck(site.db, systemClock, {
        ...productCheck(watchId, OUT),
        targetUrl: url,
        trigger: 'manual',
      });
      await inTransaction(site.db, async (trx) => {
        for (const audience of AUDIENCES) {
          const url = site.shops.webhookUrl(channelOf(watchId, audience));
          await addWebhook(trx, { watchId, url, keyring: site.keyring, audience });
        }
      });
      return { name, watchId };
    }),
  );
  const watchIds = offers.map(({ watchId }) => watchId);

  /** Follows a product by any web process that answers, again until one says that it is done. */
  async function follow({ watchId }: { watchId: string }, token: string): Promise<void> {
    await eventually(async () => {
      const web = site.webs[Math.random() < 0.5 ? 0 : 1];
      const { status } = await fetch(`${web.url}/api/products/product-${watchId}/follow`, {
        method: 'PUT',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          'X-Forwarded-For': freshAddress(),
        },
        body: JSON.stringify({ wants: ['restock'] }),
        signal: AbortSignal.timeout(MINUTE),
      });
      expect(status).toBe(200);
    }, LIMIT_MS);
  }

  async function comeBack(offer: (typeof offers)[number]): Promise<void> {
    await sleep(Math.random() * SPREAD_MS);
    await Promise.all(followers.map(({ token }) => follow(offer, token)));
    const now = toIso(Date.now());
    const due = { running: 1, started_at: now, next_check_at: now } as const;
    await eventually(
      () =>
        inTransaction(site.db, (trx) =>
          trx.updateTable('watches').set(due).where('id', '=', offer.watchId).execute(),
        ),
      LIMIT_MS,
    );
    await eventually(async () => {
      const moved = await inTransaction(site.db, (trx) =>
        trx
          .updateTable('alert_deliveries')
          .set({ due_at: toIso(Date.now() + Math.random() * FREE_WITHIN_MS) })
          .where('audience', '=', 'free')
          .where(
            'alert_id',
            'in',
            trx.selectFrom('alerts').select('id').where('watch_id', '=', offer.watchId),
          )
          .executeTakeFirst(),
      );
      expect(moved.numUpdatedRows).toBe(1n);
    }, LIMIT_MS);
  }
  const back = Promise.all(offers.map(comeBack));
  // It is awaited at the end of the round.
  back.catch(() => undefined);

  /** The messages that each receiver got about each product, as the ids by which a mailbox or a browser knows a repeat. */
  const notices = (): Map<string, string[]> => {
    const ids = new Map(
      followers.flatMap(({ receivers }) =>
        receivers.flatMap((receiver) =>
          offers.map(({ name }) => [`${receiver} ${name}`, []] as [string, string[]]),
        ),
      ),
    );
    const nameOf = (text = '') => text.split(' ')[0] ?? '';
    for (const { envelope, subject, headers } of sandbox.mails.list())
      ids.get(`${envelope.to[0]} ${nameOf(subject)}`)?.push(headers['message-id'] ?? '');
    for (const { subscriptionId, payload, topic } of sandbox.push.messages())
      ids
        .get(`${subscriptionId} ${nameOf((JSON.parse(payload ?? '{}') as { title?: string }).title)}`)
        ?.push(topic ?? '');
    return ids;
  };

  return {
    messages: () =>
      messagesOf(
        site,
        watchIds.flatMap((id) => AUDIENCES.map((audience) => channelOf(id, audience))),
      ),
    async finish() {
      await back;
      await untilSent(site, watchIds, AUDIENCES);
      await eventually(async () => {
        const rows = await site.db
          .selectFrom('alerts')
          .innerJoin('member_deliveries', 'member_deliveries.alert_id', 'alerts.id')
          .select(['alerts.watch_id', 'alerts.kind', 'member_deliveries.status', 'last_error'])
          .where('alerts.watch_id', 'in', watchIds)
          .execute();
        const open = rows.filter(({ status, last_error: error }) => status !== 'sent' && !isSentTwice(error));
        expect([rows.length, open]).toEqual([offers.length * FOLLOWERS * 2, []]);
      }, LIMIT_MS);
      await stopWatches(site, watchIds);
    },
    wrongNotices: () =>
      [...notices()].flatMap(([receiver, ids]) =>
        (ids.length === 1 || ids.length === 2) && new Set(ids).size === 1
          ? []
          : [`${receiver}: ${ids.join()}`],
      ),
    repeatedNotices: () => [...notices()].flatMap(([receiver, ids]) => (ids.length > 1 ? [receiver] : [])),
  };
}
