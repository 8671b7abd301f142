import { describe, expect, it } from 'vitest';
import { ALERT_LIFETIME_MS } from '#shared/alerts/alert-timing';
import { handleDelivery, retryDelivery } from '#shared/alerts/deliveries/delivery-actions';
import { listRecentAlerts, type AlertView } from '#shared/alerts/list-alerts';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { MINUTE } from '#shared/clock';
import { closeRoom, openRoom, requestsOf, untilDelivery, withDaemon } from './delivery-fixture';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';

const REFUSED = { kind: 'status', status: 400 } as const;

async function lastAlert(fixture: MonitorFixture): Promise<AlertView> {
  const [alert] = await listRecentAlerts(fixture.db, { limit: 1 });
  if (alert === undefined) throw new Error('there is no alert');
  return alert;
}

async function shownDelivery(fixture: MonitorFixture, audience: 'instant' | 'free') {
  const { deliveries } = await lastAlert(fixture);
  return deliveries.find((delivery) => delivery.audience === audience);
}

async function actionOn(fixture: MonitorFixture, audience: 'instant' | 'free', watchId = DEFAULT_WATCH_ID) {
  const deliveryId = (await shownDelivery(fixture, audience))?.id ?? '';
  return { watchId, deliveryId, actor: { userId: null }, clock: fixture.clock };
}

async function auditOf(fixture: MonitorFixture): Promise<string[]> {
  const rows = await fixture.db
    .selectFrom('audit_log')
    .select('action')
    .where('action', 'like', 'delivery.%')
    .orderBy('created_at')
    .execute();
  return rows.map(({ action }) => action);
}

describe.concurrent('a failed delivery', () => {
  it('is sent once more when an admin retries it, and its failed edit is made up for', () =>
    withDaemon({ webhooks: ['instant'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ ...REFUSED, on: ['POST'], count: 1 }]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');
      expect(await shownDelivery(fixture, 'instant')).toMatchObject({ state: 'failed', canRetry: true });

      await expect(
        retryDelivery(fixture.db, await actionOn(fixture, 'instant', 'other')),
      ).rejects.toMatchObject({
        code: 'unknown_delivery',
      });
      await retryDelivery(fixture.db, await actionOn(fixture, 'instant'));
      await untilDelivery(fixture, 'instant', 'sent');
      expect(await shownDelivery(fixture, 'instant')).toMatchObject({ state: 'sent', attempts: 2 });
      expect(fixture.sandbox.discord.messages('instant')).toHaveLength(1);
      const again = retryDelivery(fixture.db, await actionOn(fixture, 'instant'));
      await expect(again).rejects.toMatchObject({ kind: 'Conflict', code: 'not_failed' });

      fixture.sandbox.discord.setFaults('instant', [{ ...REFUSED, on: ['PATCH'], count: 1 }]);
      await closeRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');
      // The alert is over, but its message still says that the waiting room is open.
      expect(await shownDelivery(fixture, 'instant')).toMatchObject({ state: 'failed', canRetry: true });
      await retryDelivery(fixture.db, await actionOn(fixture, 'instant'));
      await untilDelivery(fixture, 'instant', 'sent');
      expect(requestsOf(fixture, 'instant', 'PATCH')).toHaveLength(2);
      expect(await auditOf(fixture)).toEqual(['delivery.retry', 'delivery.retry']);
    }));

  it('of an alert that is over can only be marked as handled, and so can an expired one', () =>
    withDaemon({ webhooks: ['instant', 'free'] }, async (fixture) => {
      fixture.sandbox.discord.setFaults('instant', [{ ...REFUSED, on: ['POST'], count: 1 }]);
      fixture.sandbox.discord.setFaults('free', [{ kind: 'status', status: 500, persistent: true }]);
      await openRoom(fixture);
      await untilDelivery(fixture, 'instant', 'dead');
      // In one step: a claim that ends while it waits for its turn is given back, and expires nothing.
      fixture.clock.advance(ALERT_LIFETIME_MS + MINUTE);
      await eventually(async () =>
        expect(await shownDelivery(fixture, 'free')).toMatchObject({ state: 'expired' }),
      );
      await closeRoom(fixture);
      expect(await shownDelivery(fixture, 'instant')).toMatchObject({ state: 'failed', canRetry: false });
      await expect(retryDelivery(fixture.db, await actionOn(fixture, 'instant'))).rejects.toMatchObject({
        kind: 'Conflict',
        code: 'alert_over',
      });
      for (const audience of ['instant', 'free'] as const) {
        await handleDelivery(fixture.db, await actionOn(fixture, audience));
        // Two admins may press it at the same time.
        await handleDelivery(fixture.db, await actionOn(fixture, audience));
        expect(await shownDelivery(fixture, audience)).toMatchObject({ state: 'handled', canRetry: false });
      }
      expect(await auditOf(fixture)).toEqual(['delivery.handle', 'delivery.handle']);
    }));
});
