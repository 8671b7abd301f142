import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { HOUR, MINUTE, toIso } from '#shared/clock';
import { startMonitoring, stopMonitoring } from '#shared/monitor/start-stop';
import { watchMonitor } from '#shared/monitor/watchdog';
import { startSandbox, type Sandbox } from '../../../sandbox/start-sandbox';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';

const OTHER = 'other-shop';
const OPERATOR = { userId: null };

/** The first watch checks the shop of `fixture`, the other watch that of `otherSandbox`. Both post to `fixture.sandbox`. */
let fixture: MonitorFixture;
let otherSandbox: Sandbox;

beforeEach(async () => {
  fixture = await createMonitorFixture({ webhooks: ['instant'] });
  otherSandbox = await startSandbox();
  await fixture.db
    .insertInto('watches')
    .values({
      id: OTHER,
      slug: OTHER,
      shop: 'Other Shop',
      title: 'Other Shop',
      url: otherSandbox.shopUrl,
      time_zone: 'Europe/Berlin',
      hours: '0-24',
      interval_seconds: 30,
    })
    .execute();
  await fixture.setWebhook('instant', fixture.sandbox.webhookUrl('free'), OTHER);
});
afterEach(async () => {
  await fixture.cleanup();
  await otherSandbox.close();
});

const titlesOf = (audience: 'instant' | 'free') =>
  fixture.sandbox.discord.messages(audience).map(({ embeds }) => embeds[0]?.title);
const firstTitles = () => titlesOf('instant');
const otherTitles = () => titlesOf('free');

async function openBoth(): Promise<void> {
  fixture.sandbox.shop.show('imperva-room');
  otherSandbox.shop.show('imperva-room');
  await Promise.all([fixture.check(), fixture.check(OTHER)]);
  await eventually(() => expect(firstTitles()).toEqual(['Pokemon Center UK: the waiting room is open']));
  await eventually(() => expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']));
}

const statusOf = async (watchId: string) =>
  (
    await fixture.db
      .selectFrom('alerts')
      .select('status')
      .where('watch_id', '=', watchId)
      .executeTakeFirstOrThrow()
  ).status;

describe('two watches', () => {
  it('do not delay each other: one shop hangs while the other one shows its waiting room', async () => {
    await fixture.startDaemon();
    fixture.sandbox.shop.show('slow', { delayMs: 12_000 });
    otherSandbox.shop.show('imperva-room');
    const slow = fixture.check();
    let ended = false;
    const end = slow.finally(() => (ended = true));
    await eventually(() => expect(fixture.sandbox.shop.requests().length).toBeGreaterThan(0));
    const check = await fixture.check(OTHER);
    expect(check.queue_detected).toBe(true);
    await eventually(() => expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']));
    expect(ended).toBe(false);
    expect(firstTitles()).toEqual([]);
    await end;
  });

  it('do not delay each other: one webhook hangs while the other one receives its alert', async () => {
    await fixture.startDaemon();
    fixture.sandbox.discord.setFaults('instant', [{ kind: 'hang', accept: false }]);
    fixture.sandbox.shop.show('imperva-room');
    otherSandbox.shop.show('imperva-room');
    await fixture.check();
    await eventually(() => expect(fixture.sandbox.discord.requests('instant')).toHaveLength(1));
    await fixture.check(OTHER);
    await eventually(() => expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']));
    expect(fixture.sandbox.discord.requests('instant')).toHaveLength(1);
    expect(firstTitles()).toEqual([]);
  });

  it('do not close each other: the alert of one closes, that of the other one stays open', async () => {
    await fixture.startDaemon();
    await openBoth();
    fixture.sandbox.shop.show('open');
    await fixture.check();
    await fixture.check();
    await eventually(() => expect(firstTitles()).toEqual(['Pokemon Center UK: the waiting room has closed']));
    expect(await statusOf(OTHER)).toBe('open');
    await fixture.check(OTHER);
    expect(await statusOf(OTHER)).toBe('open');
    expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']);
  });

  it('have separate states when they check the same page', async () => {
    await fixture.db.updateTable('watches').set({ url: null }).where('id', '=', OTHER).execute();
    await fixture.startDaemon();
    fixture.sandbox.shop.show('imperva-room');
    await fixture.check();
    await eventually(() => expect(firstTitles()).toHaveLength(1));
    expect(otherTitles()).toEqual([]);
    await fixture.check(OTHER);
    await eventually(() => expect(otherTitles()).toHaveLength(1));
    expect(firstTitles()).toHaveLength(1);
  });

  it('do not silence each other: one is stopped, and the other one keeps its scheduler and closes its alert', async () => {
    const schedulers = async () =>
      (await (await fixture.queues.open('monitor')).getJobSchedulers())
        .map(({ key, every }) => [key, Number(every)])
        .sort();
    await fixture.startDaemon();
    for (const watchId of [DEFAULT_WATCH_ID, OTHER])
      await startMonitoring(fixture.db, { actor: OPERATOR, clock: fixture.clock, watchId });
    await openBoth();
    fixture.clock.advance(9_000);
    await eventually(async () =>
      expect(await schedulers()).toEqual([
        [`check-${OTHER}`, 30_000],
        [`check-${DEFAULT_WATCH_ID}`, 60_000],
      ]),
    );
    await stopMonitoring(fixture.db, { actor: OPERATOR, clock: fixture.clock });
    fixture.clock.advance(9_000);
    await eventually(async () => expect(await schedulers()).toEqual([[`check-${OTHER}`, 30_000]]));
    await eventually(() => expect(firstTitles()).toEqual(['Pokemon Center UK: monitoring is paused']));
    expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']);
    expect(await statusOf(OTHER)).toBe('open');
    otherSandbox.shop.show('open');
    await fixture.check(OTHER);
    await fixture.check(OTHER);
    await eventually(() => expect(otherTitles()).toEqual(['Other Shop: the waiting room has closed']));
  });

  it('do not silence each other: the webhook of one is deleted, and the other one is notified', async () => {
    await fixture.startDaemon();
    fixture.sandbox.discord.setFaults('instant', [{ kind: 'status', status: 404, persistent: true }]);
    fixture.sandbox.shop.show('imperva-room');
    await fixture.check();
    const webhookOf = (watchId: string) =>
      fixture.db
        .selectFrom('webhooks')
        .select('state')
        .where('watch_id', '=', watchId)
        .executeTakeFirstOrThrow();
    await eventually(async () => expect((await webhookOf(DEFAULT_WATCH_ID)).state).not.toBe('trusted'));
    otherSandbox.shop.show('imperva-room');
    await fixture.check(OTHER);
    await eventually(() => expect(otherTitles()).toEqual(['Other Shop: the waiting room is open']));
    expect(await webhookOf(OTHER)).toEqual({ state: 'trusted' });
    expect(firstTitles()).toEqual([]);
  });
});

it('a watch without a verdict is reported although the other one has verdicts', async () => {
  const { db, clock } = fixture;
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
