import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { AlertDeliveriesTable } from '#shared/database/tables/monitor/alert-deliveries';
import {
  createMonitorFixture,
  eventually,
  type MonitorFixture,
  type MonitorFixtureOptions,
} from '../monitor/monitor-fixture';

type DeliveryRow = Selectable<AlertDeliveriesTable>;
type Audience = DeliveryRow['audience'];
type KeptMessage = ReturnType<MonitorFixture['sandbox']['discord']['messages']>[number];
type WebhookRequest = ReturnType<MonitorFixture['sandbox']['discord']['requests']>[number];

/** Runs a test with its own fixture and a daemon, so that the tests of a file can run concurrently. */
export async function withDaemon(
  options: MonitorFixtureOptions,
  test: (fixture: MonitorFixture) => Promise<void>,
): Promise<void> {
  const fixture = await createMonitorFixture(options);
  try {
    await fixture.startDaemon();
    await test(fixture);
  } finally {
    await fixture.cleanup();
  }
}

/** Shows the shop's waiting room and runs a check that detects it. */
export async function openRoom(fixture: MonitorFixture): Promise<void> {
  fixture.sandbox.shop.show('imperva-room');
  // The request joins a check that is already running, which may have fetched the shop before the change.
  const first = await fixture.check();
  const check = first.queue_detected ? first : await fixture.check();
  expect(check.queue_detected).toBe(true);
}

/** Shows the open shop and runs two checks: two `open` verdicts in a row close the alert. */
export async function closeRoom(fixture: MonitorFixture): Promise<void> {
  fixture.sandbox.shop.show('open');
  await fixture.check();
  await fixture.check();
}

/** The newest alert delivery of an audience. */
export async function readDelivery(fixture: MonitorFixture, audience: Audience): Promise<DeliveryRow> {
  return fixture.db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('alert_id', 'is not', null)
    .where('audience', '=', audience)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Waits until the newest alert delivery of an audience has a status. */
export function untilDelivery(
  fixture: MonitorFixture,
  audience: Audience,
  status: DeliveryRow['status'],
  timeoutMs = 40_000,
): Promise<DeliveryRow> {
  return eventually(async () => {
    const row = await readDelivery(fixture, audience);
    expect(row.status).toBe(status);
    return row;
  }, timeoutMs);
}

/** Requests of one method to an audience's webhook, in order of arrival. */
export function requestsOf(fixture: MonitorFixture, audience: Audience, method: string): WebhookRequest[] {
  return fixture.sandbox.discord.requests(audience).filter((request) => request.method === method);
}

/** Whether the footer of a message says that it may be a repeat. */
export function isMarkedAsRepeat(message: Pick<KeptMessage, 'embeds'> | undefined): boolean {
  return /you may have seen this already/.test(message?.embeds[0]?.footer?.text ?? '');
}

/** The titles of the messages in the admin channel. */
export function adminTitles(fixture: MonitorFixture): (string | undefined)[] {
  return fixture.sandbox.discord.messages('admin').map((message) => message.embeds[0]?.title ?? undefined);
}

/** Pages of a shop whose waiting room opens and closes ten times in a row. */
export const FLAPPING = [
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
