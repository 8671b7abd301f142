import pLimit from 'p-limit';
import { request } from 'undici';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { openAlert } from '#shared/alerts/alert-changes';
import { inTransaction } from '#shared/database/transaction';
import type { BenchWorld } from './bench-world';

const BODY = JSON.stringify({ content: '', embeds: [{ title: 'bench', description: 'x'.repeat(500) }] });
const SENDS_AT_ONCE = 64;

/** Puts `count` due deliveries, each to a webhook of its own, into the outbox. Returns their ids. */
async function fillOutbox({ db, far }: BenchWorld, count: number): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const now = Date.now();
    await trx
      .updateTable('alerts')
      .set({ status: 'closed', closed_at: toIso(now) })
      .execute();
    await trx.deleteFrom('webhooks').execute();
    await trx.deleteFrom('watches').where('id', '<>', DEFAULT_WATCH_ID).execute();
    const { alertId } = await openAlert(trx, {
      watchId: DEFAULT_WATCH_ID,
      targetUrl: `${far.origin}/shop`,
      strength: 'strong',
      checkId: newId(),
      now,
      sender: null,
      adminContacts: { emails: [] },
    });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const destination = `bench_${index}`;
      const id = newId();
      ids.push(id);
      await trx
        .insertInto('watches')
        .values({
          id: destination,
          slug: destination,
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
          watch_id: destination,
          audience: 'instant',
          sealed_url: `${far.origin}/api/webhooks/${index + 1}/token`,
          updated_at: toIso(now),
        })
        .execute();
      await trx
        .insertInto('alert_deliveries')
        .values({
          id,
          alert_id: alertId,
          audience: 'instant',
          channel: 'discord',
          destination,
          status: 'pending',
          due_at: toIso(now - 1),
          expires_at: toIso(now + 600_000),
          created_at: toIso(now),
          updated_at: toIso(now),
        })
        .execute();
    }
    return ids;
  });
}

const clock = (): number => performance.timeOrigin + performance.now();

/** Milliseconds from the start until the last of `count` requests has arrived, out of the outbox. */
export async function fanOut(world: BenchWorld, count: number): Promise<number> {
  const ids = await fillOutbox(world, count);
  await world.far.take();
  const began = clock();
  for (const id of ids) void world.deliveries.send(id);
  await world.deliveries.idle();
  const { arrived } = await world.far.take();
  if (arrived.length !== count) throw new Error(`${arrived.length} of ${count} deliveries arrived`);
  return Math.max(...arrived) - began;
}

/** The same number of bare posts with the same concurrency. */
export async function bareFanOut({ far }: BenchWorld, count: number): Promise<number> {
  const limit = pLimit(SENDS_AT_ONCE);
  await far.take();
  const began = clock();
  await Promise.all(
    Array.from({ length: count }, (_unused, index) =>
      limit(async () => {
        const { body } = await request(`${far.origin}/api/webhooks/${index + 1}/token?wait=true`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: BODY,
        });
        await body.dump();
      }),
    ),
  );
  const { arrived } = await far.take();
  return Math.max(...arrived) - began;
}
