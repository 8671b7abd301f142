import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { startSandbox, type Sandbox } from '../../sandbox/start-sandbox';
import { createWorld, eventually, type World } from './monitor-world';

const OTHER = 'other-shop';
const OPERATOR = { userId: null };

/** The first watch checks the shop of `world`, the other one that of `others`. Both post to the sandbox of `world`. */
let world: World;
let others: Sandbox;

beforeEach(async () => {
  world = await createWorld({ webhooks: ['instant'] });
  others = await startSandbox();
  await world.db
    .insertInto('watches')
    .values({
      id: OTHER,
      slug: OTHER,
      shop: 'Other Shop',
      title: 'Other Shop',
      url: others.shopUrl,
      time_zone: 'Europe/Berlin',
      hours: '0-24',
      interval_seconds: 30,
    })
    .execute();
  await world.setWebhook('instant', world.sandbox.webhookUrl('free'), OTHER);
});
afterEach(async () => {
  await world.cleanup();
  await others.close();
});

const titlesOf = (audience: 'instant' | 'free') =>
  world.sandbox.discord.messages(audience).map(({ embeds }) => embeds[0]?.title);
/** The messages of the first watch, and those of the other one. */
const mine = () => titlesOf('instant');
const theirs = () => titlesOf('free');

async function openBoth(): Promise<void> {
  world.sandbox.shop.show('imperva-room');
  others.shop.show('imperva-room');
  await Promise.all([world.check(), world.check(OTHER)]);
  await eventually(() => expect(mine()).toEqual(['Pokemon Center UK: the waiting room is open']));
  await eventually(() => expect(theirs()).toEqual(['Other Shop: the waiting room is open']));
}

const statusOf = async (watchId: string) =>
  (
    await world.db
      .selectFrom('alerts')
      .select('status')
      .where('watch_id', '=', watchId)
      .executeTakeFirstOrThrow()
  ).status;

describe('two watches', () => {
  it('do not delay each other: one shop hangs while the other one opens', async () => {
    await world.startDaemon();
    world.sandbox.shop.show('slow', { delayMs: 12_000 });
    others.shop.show('imperva-room');
    const slow = world.check();
    let ended = false;
    const end = slow.finally(() => (ended = true));
    await eventually(() => expect(world.sandbox.shop.requests().length).toBeGreaterThan(0));
    const check = await world.check(OTHER);
    expect(check.queue_detected).toBe(true);
    await eventually(() => expect(theirs()).toEqual(['Other Shop: the waiting room is open']));
    expect(ended).toBe(false);
    expect(mine()).toEqual([]);
    await end;
  });

  it('do not close each other: the alert of one ends, that of the other one stays', async () => {
    await world.startDaemon();
    await openBoth();
    world.sandbox.shop.show('open');
    await world.check();
    await world.check();
    await eventually(() => expect(mine()).toEqual(['Pokemon Center UK: the waiting room has closed']));
    expect(await statusOf(OTHER)).toBe('open');
    await world.check(OTHER);
    expect(await statusOf(OTHER)).toBe('open');
    expect(theirs()).toEqual(['Other Shop: the waiting room is open']);
  });

  it('keep their own state when they check the same page', async () => {
    await world.db.updateTable('watches').set({ url: null }).where('id', '=', OTHER).execute();
    await world.startDaemon();
    world.sandbox.shop.show('imperva-room');
    await world.check();
    await eventually(() => expect(mine()).toHaveLength(1));
    expect(theirs()).toEqual([]);
    await world.check(OTHER);
    await eventually(() => expect(theirs()).toHaveLength(1));
    expect(mine()).toHaveLength(1);
  });

  it('do not silence each other: one is stopped, and the other one goes on by its own scheduler', async () => {
    const schedulers = async () =>
      (await world.queues.monitor.getJobSchedulers()).map(({ key, every }) => [key, Number(every)]).sort();
    await world.startDaemon();
    for (const watchId of [DEFAULT_WATCH_ID, OTHER])
      await startMonitoring(world.db, { actor: OPERATOR, clock: world.clock, watchId });
    await openBoth();
    world.clock.advance(9_000);
    await eventually(async () =>
      expect(await schedulers()).toEqual([
        [`check-${OTHER}`, 30_000],
        [`check-${DEFAULT_WATCH_ID}`, 60_000],
      ]),
    );
    await stopMonitoring(world.db, { actor: OPERATOR, clock: world.clock });
    world.clock.advance(9_000);
    await eventually(async () => expect(await schedulers()).toEqual([[`check-${OTHER}`, 30_000]]));
    await eventually(() => expect(mine()).toEqual(['Pokemon Center UK: monitoring is paused']));
    expect(theirs()).toEqual(['Other Shop: the waiting room is open']);
    expect(await statusOf(OTHER)).toBe('open');
  });
});

it('a watch without a verdict is reported although the other one has verdicts', async () => {
  const { db, clock } = world;
  for (const watchId of [DEFAULT_WATCH_ID, OTHER])
    await startMonitoring(db, { actor: OPERATOR, clock, watchId });
  await db
    .insertInto('daemon_heartbeats')
    .values({
      id: 'daemon',
      host: 'here',
      pid: 1,
      started_at: toIso(clock.now() - HOUR),
      beat_at: toIso(clock.now() + 6 * MINUTE),
      stopped_at: null,
      redis_ok: 1,
    })
    .execute();
  clock.advance(6 * MINUTE);
  const now = clock.now();
  const conclude = (watchId: string, at: number) =>
    db
      .updateTable('watches')
      .set({ last_conclusive_at: toIso(at), last_verdict: 'open' })
      .where('id', '=', watchId)
      .execute();
  await conclude(DEFAULT_WATCH_ID, now);
  const titles = async () =>
    (await db.selectFrom('admin_notices').select('title').execute()).map((row) => row.title);
  await watchMonitor(db, { adminContacts: { emails: [] }, now });
  expect(await titles()).toEqual(['The monitor of Other Shop has seen nothing for 6 minutes']);
  await conclude(OTHER, now + MINUTE);
  await watchMonitor(db, { adminContacts: { emails: [] }, now: now + MINUTE });
  expect(await titles()).toContain('The monitor of Other Shop sees the shop again');
});
