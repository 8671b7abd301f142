import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { fromIso, MINUTE, SECOND, toIso } from '#shared/clock';
import { enqueueCheck } from '#shared/queues/enqueue';
import { openTheatre, type Theatre } from './daemon-theatre';
import {
  closeRoom,
  isMarkedAsRepeat,
  openRoom,
  readDelivery,
  requestsOf,
  untilDelivery,
} from './delivery-view';
import { eventually, type World } from './monitor-world';

const rounds = Number(process.env.PACKWATCH_KILLS ?? 6);
let theatre: Theatre;

beforeAll(async () => {
  theatre = await openTheatre();
});
afterAll(() => theatre.close());

const onStage: Theatre['play'] = (test, webhooks = ['instant']) => theatre.play(test, webhooks);

const instant = (world: World) => world.sandbox.discord.messages('instant');
const free = (world: World) => world.sandbox.discord.messages('free');

/** Lets everything that the alerts remember have happened this much earlier. */
async function ageAlerts(world: World, ms: number): Promise<void> {
  const earlier = (time: string | null): string | null => (time === null ? null : toIso(fromIso(time) - ms));
  for (const alert of await world.db.selectFrom('alerts').selectAll().execute()) {
    await world.db
      .updateTable('alerts')
      .set({
        opened_at: toIso(fromIso(alert.opened_at) - ms),
        last_seen_at: toIso(fromIso(alert.last_seen_at) - ms),
        closed_at: earlier(alert.closed_at),
      })
      .where('id', '=', alert.id)
      .execute();
  }
  for (const row of await world.db.selectFrom('alert_deliveries').selectAll().execute()) {
    await world.db
      .updateTable('alert_deliveries')
      .set({ due_at: toIso(fromIso(row.due_at) - ms), expires_at: toIso(fromIso(row.expires_at) - ms) })
      .where('id', '=', row.id)
      .execute();
  }
}

describe.concurrent('a daemon that is killed', { timeout: 2 * MINUTE }, () => {
  it('while the webhook hangs without having accepted leaves one message behind', () =>
    onStage(async ({ world, start }) => {
      const daemon = await start();
      world.sandbox.discord.setFaults('instant', [{ kind: 'hang' }]);
      await openRoom(world);
      await eventually(() => expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1));
      await daemon.kill('SIGKILL');
      await start();
      await untilDelivery(world, 'instant', 'sent');
      expect(instant(world)).toHaveLength(1);
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(2);
    }));

  it('after Discord accepted but before that was stored repeats itself once at most, and says so', () =>
    onStage(async ({ world, start }) => {
      const daemon = await start();
      world.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: 8 * SECOND }]);
      await openRoom(world);
      await eventually(() => expect(instant(world)).toHaveLength(1));
      await daemon.kill('SIGKILL');
      await start();
      await untilDelivery(world, 'instant', 'sent');
      expect(instant(world).map(isMarkedAsRepeat)).toEqual([false, true]);
    }));

  it('while it fetches loses only that look: the next check finds the room, at once', () =>
    onStage(async ({ world, start }) => {
      const daemon = await start();
      world.sandbox.shop.show('imperva-room', { delayMs: MINUTE });
      await enqueueCheck(world.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' });
      await eventually(() => expect(world.sandbox.shop.requests()).toHaveLength(1));
      await daemon.kill('SIGKILL');
      await start();
      const began = performance.now();
      await openRoom(world);
      // Neither the dead daemon's lease nor its job in Redis stands in the way.
      expect(performance.now() - began).toBeLessThan(4 * SECOND);
      await eventually(() => expect(instant(world)).toHaveLength(1));
      expect(await world.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
    }));

  it('before the free audience’s time still tells it at that time', () =>
    onStage(
      async ({ world, start }) => {
        const daemon = await start();
        await openRoom(world);
        await untilDelivery(world, 'instant', 'sent');
        await daemon.kill('SIGKILL');
        await ageAlerts(world, 26 * SECOND);
        await start();
        const readyAt = Date.now();
        await eventually(() => expect(free(world)).toHaveLength(1));
        const row = await untilDelivery(world, 'free', 'sent');
        const alert = await world.db.selectFrom('alerts').select('opened_at').executeTakeFirstOrThrow();
        expect(fromIso(row.due_at) - fromIso(alert.opened_at)).toBe(30 * SECOND);
        const toldAt = free(world)[0]?.receivedAt ?? 0;
        expect(toldAt - fromIso(row.due_at)).toBeGreaterThanOrEqual(-1);
        // A busy machine may start a daemon later than that.
        expect(toldAt - Math.max(fromIso(row.due_at), readyAt)).toBeLessThan(3 * SECOND);
        expect(instant(world)).toHaveLength(1);
      },
      ['instant', 'free'],
    ));

  it('while the room is open does not tell of it again', () =>
    onStage(async ({ world, start }) => {
      const daemon = await start();
      await openRoom(world);
      await untilDelivery(world, 'instant', 'sent');
      await daemon.kill('SIGKILL');
      await start();
      await openRoom(world);
      await world.check();
      expect(instant(world)).toHaveLength(1);
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
      expect((await readDelivery(world, 'instant')).attempts).toBe(1);
    }));

  it(`loses no alert in ${rounds} rounds of being killed at any moment`, { timeout: rounds * MINUTE }, () =>
    onStage(async ({ world, start }) => {
      let daemon = await start();
      for (let round = 1; round <= rounds; round += 1) {
        const before = instant(world).length;
        world.sandbox.shop.show('imperva-room');
        await enqueueCheck(world.queues, { watchId: DEFAULT_WATCH_ID, trigger: 'manual' });
        // The moment is meant to be any: it is drawn, not tuned.
        await sleep(Math.random() * 300);
        await daemon.kill('SIGKILL');
        daemon = await start();
        await world.check();
        await untilDelivery(world, 'instant', 'sent', 20_000);
        const told = instant(world).slice(before);
        expect([[false], [true], [false, true]], `round ${round}`).toContainEqual(told.map(isMarkedAsRepeat));
        await closeRoom(world);
        await ageAlerts(world, 6 * MINUTE);
      }
      expect(await world.db.selectFrom('alerts').select('id').execute()).toHaveLength(rounds);
    }),
  );
});

describe.concurrent('two daemons at once', { timeout: 2 * MINUTE }, () => {
  it('check one after the other and tell of each alert once', () =>
    onStage(async ({ world, start }) => {
      await Promise.all([start(), start()]);
      const flapping = [
        'imperva-room',
        'open',
        'imperva-room',
        'bot-wall',
        'open',
        'imperva-page',
        'error',
        'open',
        'open',
        'imperva-room',
      ] as const;
      world.sandbox.shop.play(flapping.map((mode) => ({ mode, delayMs: 120 })));
      // Pairs, so that both daemons have something to do.
      while (world.sandbox.shop.requests().length < flapping.length)
        await Promise.all([world.check(), world.check()]);

      const visits = world.sandbox.shop.requests();
      const overlaps = visits.filter(
        (visit, index) => index > 0 && visit.receivedAt < (visits[index - 1]?.answeredAt ?? Infinity),
      );
      expect(overlaps).toEqual([]);
      const checks = await world.db.selectFrom('monitor_checks').select('id').execute();
      expect(checks).toHaveLength(visits.length);
      await untilDelivery(world, 'instant', 'sent');
      expect(requestsOf(world, 'instant', 'POST')).toHaveLength(1);
      expect(await world.db.selectFrom('alerts').select('id').execute()).toHaveLength(1);
      // Neither went away meanwhile.
      const living = await world.db
        .selectFrom('daemon_heartbeats')
        .select('id')
        .where('stopped_at', 'is', null)
        .execute();
      expect(living).toHaveLength(2);
    }));
});
