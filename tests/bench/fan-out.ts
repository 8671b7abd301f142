import pLimit from 'p-limit';
import { request } from 'undici';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { openAlert } from '#shared/alerts/alert-changes';
import { inTransaction } from '#shared/database/transaction';
import type { BenchFixture } from './bench-fixture';

const BODY = JSON.stringify({ content: '', embeds: [{ title: 'bench', description: 'x'.repeat(500) }] });
const SEND_CONCURRENCY = 64;

/** Opens `count` alerts, each of a watch with its own webhook. */
async function fillOutbox({ db, services }: BenchFixture, count: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = Date.now();
    await trx
      .updateTable('alerts')
      .set({ status: 'closed', closed_at: toIso(now) })
      .execute();
    await trx.deleteFrom('webhooks').execute();
    await trx.deleteFrom('watches').where('id', '<>', DEFAULT_WATCH_ID).execute();
    for (let index = 0; index < count; index += 1) {
      const watchId = `bench_${index}`;
      await trx
        .insertInto('watches')
        .values({
          id: watchId,
          slug: watchId,
          shop: 'bench',
          title: 'bench',
          time_zone: 'UTC',
          hours: '0-24',
          interval_seconds: 60,
        })
        .execute();
      await trx
        .insertInto('webhooks')
        .values({
          watch_id: watchId,
          audience: 'instant',
          sealed_url: `${services.origin}/api/webhooks/${index + 1}/token`,
          updated_at: toIso(now),
        })
        .execute();
      await openAlert(trx, {
        watchId,
        targetUrl: `${services.origin}/shop`,
        kind: 'waiting_room',
        offer: null,
        newest: null,
        strength: 'strong',
        checkId: newId(),
        now,
        sender: null,
        adminContacts: { emails: [] },
      });
    }
  });
}

const clock = (): number => performance.timeOrigin + performance.now();

/** Milliseconds until the last of `count` deliveries of the outbox has arrived. */
export async function fanOut(fixture: BenchFixture, count: number): Promise<number> {
  await fillOutbox(fixture, count);
  await fixture.services.take();
  const began = clock();
  void fixture.deliveries.sendDue();
  await fixture.deliveries.idle();
  const { arrived } = await fixture.services.take();
  if (arrived.length !== count) throw new Error(`${arrived.length} of ${count} deliveries arrived`);
  return Math.max(...arrived) - began;
}

/** The same for bare posts with the same concurrency. */
export async function bareFanOut({ services }: BenchFixture, count: number): Promise<number> {
  const limit = pLimit(SEND_CONCURRENCY);
  await services.take();
  const began = clock();
  await Promise.all(
    Array.from({ length: count }, (_unused, index) =>
      limit(async () => {
        const { body } = await request(`${services.origin}/api/webhooks/${index + 1}/token?wait=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: BODY,
        });
        await body.dump();
      }),
    ),
  );
  const { arrived } = await services.take();
  return Math.max(...arrived) - began;
}
