import { sql, type Kysely } from 'kysely';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { MINUTE, SECOND, toIso } from '#shared/clock';
import type { Schema } from '#shared/database/schema';
import type { OutboxColumns } from '#shared/database/tables/outbox-columns';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { defineOutbox, type OutboxTable } from '#shared/outbox/define-outbox';
import { createOutboxSender } from '#shared/outbox/outbox-sender';
import type { Answer, Outcome } from '#shared/outbox/outcome';
import { createDestinationLimiter } from '#shared/outbox/destination-limiter';
import { createSender } from '#shared/outbox/sender';
import { createTestDatabase } from '../database';

// The parts of an SMS channel; the engine does the rest.

interface TextMessagesTable extends OutboxColumns {
  phone: string;
  text: string;
}

/** Sends one message. Classifies what the provider answers. */
async function sendText(provider: string, phone: string, text: string): Promise<Answer<object, 'phone'>> {
  try {
    const { status, headers } = await fetch(`${provider}/${phone}`, { method: 'POST', body: text });
    const reason = `the provider\0 answered ${status}`;
    if (status < 300) return { kind: 'ok', status };
    if (status === 429)
      return { kind: 'retry', status, reason, waitMs: Number(headers.get('retry-after')) * SECOND };
    if (status >= 500) return { kind: 'retry', status, reason, uncertain: true };
    return status === 410
      ? { kind: 'gone', what: 'phone', status, reason }
      : { kind: 'rejected', status, reason };
  } catch {
    return { kind: 'retry', reason: 'the provider did not answer' };
  }
}

const textOutbox = defineOutbox('text_messages' as OutboxTable, {
  claimLifetimeMs: MINUTE,
  backoff: { firstMs: SECOND, maxMs: 30 * SECOND },
});

it('a channel for SMS is one file: its client, its table and its limits', async () => {
  const { db, cleanup } = await createTestDatabase();
  const texts = db as unknown as Kysely<Schema & { text_messages: TextMessagesTable }>;
  await sql`create table text_messages as select * from mails where 1 = 0`.execute(db);
  for (const name of ['phone', 'text'])
    await sql`alter table text_messages add column ${sql.ref(name)} text`.execute(db);
  const received: string[] = [];
  const server = createServer((request, response) => {
    const phone = request.url?.slice(1) ?? '';
    received.push(phone);
    response.writeHead(Number(phone.slice(0, 3)), { 'retry-after': '7' }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const provider = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const now = Date.parse('2027-01-15T12:00:00Z');
  const context = { db, clock: { now: () => now }, logger: pino({ level: 'silent' }), owner: 'test' };
  const outbox = createOutboxSender<OutboxTable, Outcome>(
    { ...context, outcomes: createWriteRetrier({ onWait: () => undefined }) },
    {
      outbox: textOutbox,
      send: async (row) => {
        const { phone, text } = row as unknown as TextMessagesTable;
        return sendText(provider, phone, text);
      },
      describe: ({ id }) => ({ textId: id }),
    },
  );
  const sender = createSender({
    ...{ outbox, batch: 10, logger: context.logger, enqueue: async () => undefined },
    lanes: { texts: createDestinationLimiter({ slots: 10, total: 10, perDestination: 5 }) },
    place: (rows) => rows.map(({ id }) => ({ id, lane: 'texts', destination: 'provider', isRetry: false })),
  });

  for (const phone of ['200-a', '410-b', '400-c', '429-d', '503-e', '200-late', '503-twice']) {
    const expiresAt = phone === '200-late' ? now : now + MINUTE;
    await texts
      .insertInto('text_messages')
      .values({
        ...textOutbox.newRow({ dueAt: now, expiresAt, owner: null, now }),
        ...{ phone, text: 'The waiting room is open.', uncertain: phone === '503-twice' ? 1 : 0 },
      })
      .execute();
  }
  await sender.sendDue();
  await sender.idle();

  const rows = await texts
    .selectFrom('text_messages')
    .select(['phone', 'status', 'attempts', 'due_at', 'uncertain', 'claimed_by', 'last_error'])
    .orderBy('phone')
    .execute();
  expect(rows.map(({ phone, status, uncertain }) => [phone, status, uncertain])).toEqual([
    ['200-a', 'sent', 0],
    ['200-late', 'expired', 0],
    ['400-c', 'dead', 0],
    ['410-b', 'dead', 0],
    ['429-d', 'pending', 0],
    ['503-e', 'pending', 1],
    ['503-twice', 'pending', 1],
  ]);
  expect(rows.map(({ attempts, claimed_by }) => [attempts, claimed_by])).toEqual(rows.map(() => [1, null]));
  expect(rows.find(({ phone }) => phone === '429-d')?.due_at).toBe(toIso(now + 7 * SECOND));
  expect(rows.find(({ phone }) => phone === '400-c')?.last_error).toBe('the provider answered 400');
  expect(received.toSorted()).toEqual(['200-a', '400-c', '410-b', '429-d', '503-e', '503-twice']);

  await sender.stop();
  server.close();
  await cleanup();
});
