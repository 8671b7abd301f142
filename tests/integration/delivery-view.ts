import type { Selectable } from 'kysely';
import { expect } from 'vitest';
import type { AlertDeliveriesTable } from '#shared/database/tables/alert-deliveries';
import { createWorld, eventually, type World, type WorldOptions } from './monitor-world';

type DeliveryRow = Selectable<AlertDeliveriesTable>;
type Audience = DeliveryRow['audience'];
type KeptMessage = ReturnType<World['sandbox']['discord']['messages']>[number];
type WebhookRequest = ReturnType<World['sandbox']['discord']['requests']>[number];

/** Runs a test in a world of its own with a daemon, so that the tests of a file can run side by side. */
export async function inWorld(options: WorldOptions, test: (world: World) => Promise<void>): Promise<void> {
  const world = await createWorld(options);
  try {
    await world.startDaemon();
    await test(world);
  } finally {
    await world.cleanup();
  }
}

/** The shop shows its waiting room and a check sees it. */
export async function openRoom(world: World): Promise<void> {
  world.sandbox.shop.show('imperva-room');
  // One that was under way already, and may have looked before, is taken for ours.
  const first = await world.check();
  const check = first.queue_detected ? first : await world.check();
  expect(check.queue_detected).toBe(true);
}

/** Two opens in a row end the alert. */
export async function closeRoom(world: World): Promise<void> {
  world.sandbox.shop.show('open');
  await world.check();
  await world.check();
}

/** The newest alert's outbox row of an audience. */
export async function readDelivery(world: World, audience: Audience): Promise<DeliveryRow> {
  return world.db
    .selectFrom('alert_deliveries')
    .selectAll()
    .where('alert_id', 'is not', null)
    .where('audience', '=', audience)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

/** Waits until the newest alert's row of an audience has a status. */
export function untilDelivery(
  world: World,
  audience: Audience,
  status: DeliveryRow['status'],
  timeoutMs = 20_000,
): Promise<DeliveryRow> {
  return eventually(async () => {
    const row = await readDelivery(world, audience);
    expect(row.status).toBe(status);
    return row;
  }, timeoutMs);
}

/** Requests of one method to an audience's webhook, in order of arrival. */
export function requestsOf(world: World, audience: Audience, method: string): WebhookRequest[] {
  return world.sandbox.discord.requests(audience).filter((request) => request.method === method);
}

/** Whether a message tells its reader that it may be a repeat. */
export function isMarkedAsRepeat(message: Pick<KeptMessage, 'embeds'> | undefined): boolean {
  return /you may have seen this already/.test(message?.embeds[0]?.footer?.text ?? '');
}

/** What the admins' channel holds, by title. */
export function adminTitles(world: World): (string | undefined)[] {
  return world.sandbox.discord.messages('admin').map((message) => message.embeds[0]?.title ?? undefined);
}
