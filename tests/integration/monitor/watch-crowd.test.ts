import { afterEach, describe, expect, it } from 'vitest';
import { HOUR, SECOND } from '#shared/clock';
import { switchMonitoring } from '#shared/monitor/start-stop';
import { addCrowd, planCrowd, startCrowd } from '../../bench/watches/add-crowd';
import { startCrowdShops, type CrowdRecords, type CrowdShops } from '../../bench/watches/crowd-shops';
import { measureAlerts, readPhases } from '../../bench/watches/measure-crowd';
import { createMonitorFixture, eventually, type MonitorFixture } from './monitor-fixture';

const crowd = planCrowd(12);
const ids = crowd.map(({ id }) => id);

let shops: CrowdShops;
let fixture: MonitorFixture;

async function startChecks(intervalSeconds: number): Promise<void> {
  shops = await startCrowdShops();
  fixture = await createMonitorFixture({
    webhooks: [],
    environment: { ALLOWED_PRIVATE_HOSTS: shops.host, DISCORD_WEBHOOK_HOSTS: shops.host },
  });
  await addCrowd(fixture.db, crowd, { shops, intervalSeconds });
  await startCrowd(fixture.db, crowd);
  await fixture.startDaemon();
}
afterEach(async () => {
  // First, because it ends the check of the shop that hangs.
  shops.close();
  await fixture.cleanup();
});

describe('a crowd of watches', () => {
  it('that start together is checked spread over the interval', async () => {
    // So long that nothing that a busy machine delays comes near a part of it.
    const intervalSeconds = HOUR / SECOND;
    await startChecks(intervalSeconds);
    fixture.clock.advance(9 * SECOND);
    const phases = await eventually(async () => {
      const found = await readPhases(fixture.queues);
      expect([...found.keys()].sort()).toEqual([...ids].sort());
      return found;
    });
    const times = [...phases.values()].map(({ next, every }) => next % every).sort((a, b) => a - b);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    const even = (intervalSeconds * SECOND) / crowd.length;
    expect(Math.min(...gaps)).toBeGreaterThan(even / 4);
    expect(Math.max(...gaps)).toBeLessThan(even * 4);
  });

  it('has a watch that a person starts: it is checked at once, and then at its own phase', async () => {
    await startChecks(HOUR / SECOND);
    const { db, queues, clock } = fixture;
    const watchId = 'crowd-2';
    const isPlanned = async () => (await readPhases(queues)).has(watchId);
    const switchOn = (on: boolean) =>
      switchMonitoring({ db, queues, clock }, { on, actor: { userId: null }, watchId });
    await switchOn(false);
    await eventually(async () => expect(await isPlanned()).toBe(false));
    shops.take();
    const before = Date.now();
    await switchOn(true);
    const phase = (await readPhases(queues)).get(watchId);
    expect((phase?.next ?? 0) - before).toBeGreaterThan(HOUR / 5);
    await eventually(() => expect(shops.take().pages.map(({ shop }) => shop)).toContain(watchId));
  });

  it('is checked and alerts without delay although one shop hangs, and none reaches our own network', async () => {
    await startChecks(15);
    const records: CrowdRecords = { pages: [], messages: [], inwardConnections: 0 };
    const collect = (): void => {
      const taken = shops.take();
      records.pages.push(...taken.pages);
      records.messages.push(...taken.messages);
      records.inwardConnections += taken.inwardConnections;
    };
    const visitsOf = (id: string): number => records.pages.filter(({ shop }) => shop === id).length;
    const others = crowd.filter(({ behaviour }) => behaviour !== 'hanging');
    for (let round = 1; round <= 5; round += 1) {
      // All at the same moment, as after a pause of the daemon.
      await (
        await fixture.queues.open('monitor')
      ).addBulk(ids.map((watchId) => ({ name: 'check', data: { watchId, trigger: 'schedule' } })));
      await eventually(() => {
        collect();
        for (const { id } of others) expect(visitsOf(id)).toBeGreaterThanOrEqual(round);
      });
    }
    // A third flaps: room, open, open.
    await eventually(() => {
      collect();
      expect(measureAlerts(crowd, records).lostMessages).toBe(0);
    });
    const { latencies } = measureAlerts(crowd, records);
    for (const [index, { behaviour }] of crowd.entries())
      expect(latencies[index]?.length ?? 0).toBeGreaterThanOrEqual(behaviour === 'flapping' ? 2 : 0);
    // The shop that hangs keeps a check for 38 seconds.
    expect(Math.max(...latencies.flat())).toBeLessThan(30 * SECOND);
    // The hanging shop takes up one check at a time, whatever is planned: each ends at its limit.
    const hanging = records.pages.filter(({ shop }) => shop === 'crowd-0').map(({ arrivedAt }) => arrivedAt);
    expect(hanging.length).toBeGreaterThan(0);
    for (const [index, arrivedAt] of hanging.slice(1).entries())
      expect(arrivedAt - (hanging[index] ?? 0)).toBeGreaterThan(37 * SECOND);
    await eventually(async () =>
      expect(await (await fixture.queues.open('monitor')).getActiveCount()).toBe(1),
    );

    expect(visitsOf('crowd-1')).toBeGreaterThanOrEqual(5);
    expect(records.inwardConnections).toBe(0);
    const inward = await fixture.db
      .selectFrom('monitor_checks')
      .select(['verdict', 'reason'])
      .where('watch_id', '=', 'crowd-1')
      .executeTakeFirstOrThrow();
    expect(inward.verdict).toBe('unknown');
    expect(inward.reason).toContain('is not on the public internet');
  });
});
