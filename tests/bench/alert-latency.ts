import { Queue, Worker } from 'bullmq';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { keepLogSmall } from '#shared/database/upkeep';
import { connectRedis } from '#shared/queues/connection.server';
import { runCheck } from '../../daemon/checks/run-check';
import { request } from 'undici';
import { BENCH_PREFIX, type BenchFixture } from './bench-fixture';
import { figuresOf, type Figures } from './figures';
import { ROOM_PAGE } from './pages';

export interface LatencyReport {
  /** From the shop's response to the arrival of the webhook request, through judging, the transaction and the claim. */
  alert: Figures;
  /** The same without any step in between: fetch, then post. */
  floor: Figures;
  /** The same with one BullMQ job in between, which stores nothing. */
  hop: Figures;
}

/** The body of a bare post, as long as a real alert. */
const BODY = JSON.stringify({ content: '', embeds: [{ title: 'bench', description: 'x'.repeat(500) }] });

/** Measures the three ways in turn in each round, so that a slow moment of the machine affects them alike. */
export async function measureAlertLatency(
  fixture: BenchFixture,
  { rounds, warmUp }: { rounds: number; warmUp: number },
): Promise<LatencyReport> {
  const { services, db, deliveries, checker, queues } = fixture;
  await services.showPage(ROOM_PAGE);
  const hook = `${services.origin}/api/webhooks/2/bare?wait=true`;
  const post = async (): Promise<void> => {
    const { body } = await request(hook, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: BODY,
    });
    await body.dump();
  };
  const page = async (): Promise<void> => {
    const { body } = await request(`${services.origin}/shop`);
    await body.text();
  };

  const connection = connectRedis(fixture.redisUrl, { role: 'worker' });
  let hopped: () => void = () => undefined;
  const worker = new Worker('monitor', async () => post().then(() => hopped()), {
    connection,
    prefix: `${BENCH_PREFIX}-hop`,
    removeOnComplete: { count: 0 },
  });
  const queue = new Queue('monitor', { connection: queues.redis, prefix: `${BENCH_PREFIX}-hop` });
  await worker.waitUntilReady();

  const ways = {
    async alert() {
      const result = await runCheck(checker, {
        watchId: DEFAULT_WATCH_ID,
        trigger: 'manual',
        requestedAt: Number.MAX_SAFE_INTEGER,
        signal: new AbortController().signal,
      });
      if ('skipped' in result) throw new Error(result.skipped);
      await deliveries.idle();
      // The next round is a new waiting room.
      await db
        .updateTable('alerts')
        .set({ status: 'closed', closed_at: '2000-01-01T00:00:00.000Z' })
        .where('status', '<>', 'closed')
        .execute();
      // The daemon's loop does this between alerts.
      await keepLogSmall(db);
    },
    async floor() {
      await page();
      await post();
    },
    async hop() {
      const done = new Promise<void>((resolve) => {
        hopped = resolve;
      });
      await page();
      await queue.add('hop', {}, { removeOnComplete: true });
      await done;
    },
  };
  const series: Record<keyof typeof ways, number[]> = { alert: [], floor: [], hop: [] };
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const name of ['alert', 'floor', 'hop'] as const) {
      await services.take();
      await ways[name]();
      const { answered, arrived } = await services.take();
      if (answered.length !== 1 || arrived.length !== 1)
        throw new Error(`${name}: ${answered.length} pages and ${arrived.length} posts instead of one each`);
      if (round >= warmUp) series[name].push((arrived[0] ?? 0) - (answered[0] ?? 0));
    }
  }
  await worker.close();
  await queue.close();
  connection.disconnect();
  return { alert: figuresOf(series.alert), floor: figuresOf(series.floor), hop: figuresOf(series.hop) };
}
