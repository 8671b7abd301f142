import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE, toIso } from '#shared/clock';
import { readWatch } from '#shared/monitor/watches/watches';
import { isMarkedAsRepeat, untilDelivery } from '../alerts/delivery-fixture';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { insertProductWatch } from '../monitor/product-watch';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

/** A product of the sandbox's shop that is sold out, and its watch. */
async function addSoldOut(fixture: MonitorFixture) {
  const { products } = fixture.sandbox.shop;
  products.put('ember-chest', { name: 'Ember chest', state: 'out' });
  const url = products.url('ember-chest');
  const watchId = await insertProductWatch(fixture.db, { url, title: 'Ember chest' });
  const title = 'Ember chest @ Tanglewood';
  await fixture.db.updateTable('watches').set({ title }).where('id', '=', watchId).execute();
  return {
    untilSeen: (availability: 'out_of_stock' | 'in_stock') =>
      eventually(async () =>
        expect((await readWatch(fixture.db, watchId)).last_availability).toBe(availability),
      ),
    async makeDue() {
      const now = { next_check_at: toIso(fixture.clock.now()) };
      await fixture.db.updateTable('watches').set(now).where('id', '=', watchId).execute();
    },
  };
}

const alertsOf = (fixture: MonitorFixture) =>
  fixture.db.selectFrom('alerts').select(['kind', 'status']).execute();

describe.concurrent('a daemon that is killed', { timeout: 5 * MINUTE }, () => {
  const shop = (fixture: MonitorFixture) => fixture.sandbox.shop.products;
  const KILLS: readonly {
    when: string;
    prepare(fixture: MonitorFixture): void;
    isReached(fixture: MonitorFixture): void;
    restore(fixture: MonitorFixture): void;
    repeats: boolean[];
  }[] = [
    {
      when: 'while the shop sends the page that has the product again',
      prepare: (fixture) => void shop(fixture).put('ember-chest', { state: 'in_stock', delayMs: MINUTE }),
      // robots.txt, the page that was sold out, and this one.
      isReached: (fixture) => expect(shop(fixture).hosts()[0]?.requests).toBe(3),
      restore: (fixture) => void shop(fixture).put('ember-chest', { delayMs: 0 }),
      repeats: [false],
    },
    {
      when: 'while the webhook hangs before it accepts the message',
      prepare(fixture) {
        fixture.sandbox.discord.setFaults('instant', [{ kind: 'hang' }]);
        shop(fixture).put('ember-chest', { state: 'in_stock' });
      },
      isReached: (fixture) => expect(fixture.sandbox.discord.requests('instant')).toHaveLength(1),
      restore: () => undefined,
      repeats: [true],
    },
    {
      when: 'between the acceptance of the message and the stored outcome',
      prepare(fixture) {
        fixture.sandbox.discord.setFaults('instant', [{ kind: 'delay', ms: MINUTE }]);
        shop(fixture).put('ember-chest', { state: 'in_stock' });
      },
      isReached: (fixture) => expect(fixture.sandbox.discord.messages('instant')).toHaveLength(1),
      restore: () => undefined,
      repeats: [false, true],
    },
  ];

  it.each(KILLS)('$when loses no restock and announces none twice without a mark', (kill) =>
    suite.run(
      async ({ fixture, startDaemon }) => {
        const { untilSeen, makeDue } = await addSoldOut(fixture);
        const daemon = await startDaemon();
        await untilSeen('out_of_stock');
        kill.prepare(fixture);
        await makeDue();
        await eventually(() => kill.isReached(fixture));
        await daemon.kill('SIGKILL');
        kill.restore(fixture);
        await fixture.startDaemon();
        await untilSeen('in_stock');
        await untilDelivery(fixture, 'instant', 'sent', MINUTE);
        expect(await alertsOf(fixture)).toEqual([{ kind: 'restock', status: 'open' }]);
        const messages = fixture.sandbox.discord.messages('instant');
        expect(messages.map(isMarkedAsRepeat)).toEqual(kill.repeats);
        // The retailer is a field of the message: the title of the watch names it as well.
        expect(messages.map(({ embeds }) => embeds[0]?.title)).toEqual(
          kill.repeats.map(() => 'Ember chest is back in stock'),
        );
      },
      ['instant'],
    ),
  );
});

it('a product behind a waiting room has the waiting room of its shop checked at once', () =>
  suite.run(
    async ({ fixture }) => {
      const { untilSeen, makeDue } = await addSoldOut(fixture);
      await fixture.writeSetting('check_interval_seconds', '3600');
      await fixture.startDaemon();
      await fixture.startMonitoring();
      await untilSeen('out_of_stock');
      await fixture.check();
      await fixture.db
        .updateTable('watches')
        .set({ last_checked_at: toIso(fixture.clock.now() - MINUTE) })
        .where('kind', '=', 'waiting_room')
        .execute();
      fixture.sandbox.shop.show('imperva-room');
      await makeDue();
      await eventually(async () =>
        expect(await alertsOf(fixture)).toEqual([{ kind: 'waiting_room', status: 'open' }]),
      );
      await untilDelivery(fixture, 'instant', 'sent');
      const [front] = await fixture.db
        .selectFrom('monitor_checks')
        .select('trigger')
        .where('verdict', '=', 'waiting_room')
        .where('availability', 'is', null)
        .execute();
      expect(front?.trigger).toBe('schedule');
      // The products know no schedule in Redis.
      expect((await (await fixture.queues.open('monitor')).getJobSchedulers()).length).toBeLessThanOrEqual(1);
    },
    ['instant'],
  ));
