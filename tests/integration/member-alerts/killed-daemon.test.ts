import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '#shared/clock';
import { readMemberResults } from '#shared/member-alerts/member-results';
import { addMember } from './crowd';
import { addFollow, insertFollowedProduct, seeProduct } from './product-follower';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { openRoom } from '../alerts/delivery-fixture';
import { eventually, type MonitorFixture } from '../monitor/monitor-fixture';
import { OUT } from '../monitor/product-watch';

const MEMBERS = 80;
/** What one process has claimed at a time, and may send again after it was killed: `LIMITS` of the senders. */
const BATCH = { email: 60, push: 200 };

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

async function isFinished({ db }: MonitorFixture): Promise<boolean> {
  const { id } = await db.selectFrom('alerts').select('id').executeTakeFirstOrThrow();
  const { complete, results } = await readMemberResults(db, { alertId: id });
  return (
    complete && results.every(({ waiting, sending, tryingAgain }) => waiting + sending + tryingAgain === 0)
  );
}

/** How often each receiver got the message, from the most to the least. */
function countBy(receivers: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const receiver of receivers) counts.set(receiver, (counts.get(receiver) ?? 0) + 1);
  return counts;
}

/** A product that all members follow is back. */
async function restock(fixture: MonitorFixture): Promise<void> {
  const productId = await insertFollowedProduct(fixture.db);
  for (const { id } of await fixture.db.selectFrom('users').select('id').execute())
    await addFollow(fixture.db, { userId: id, productId });
  await seeProduct(fixture, productId, OUT);
  await seeProduct(fixture, productId);
}

it.each([
  ['the members', openRoom],
  ['the followers of a product', restock],
] as const)(
  'a daemon that is killed while it sends to %s skips no member, and repeats at most its claimed rows',
  { timeout: 2 * MINUTE },
  (_name, announce) =>
    suite.run(
      async ({ fixture, startDaemon }) => {
        const { sandbox } = fixture;
        for (let number = 0; number < MEMBERS; number += 1) await addMember(fixture, `member-${number}`);
        // One in ten is slow, one in ten fails at first.
        sandbox.mails.setFaults([
          { delayMs: 300, share: [0, 0.1], persistent: true },
          { code: 451, share: [0.1, 0.2], attempts: 1, persistent: true },
        ]);
        sandbox.push.setFaults([
          { kind: 'delay', ms: 300, everyNth: 10, count: 10 },
          { kind: 'status', status: 500, everyNth: 7, count: 10 },
        ]);
        const daemon = await startDaemon();
        await announce(fixture);
        await eventually(() => expect(sandbox.mails.receipts().length).toBeGreaterThan(10));
        await daemon.kill('SIGKILL');
        await startDaemon();
        await eventually(async () => expect(await isFinished(fixture)).toBe(true), MINUTE);

        const mailed = countBy(sandbox.mails.receipts().map(({ to }) => to));
        const pushed = countBy(sandbox.push.messages().map(({ subscriptionId }) => subscriptionId));
        for (const [channel, counts] of [
          ['email', mailed],
          ['push', pushed],
        ] as const) {
          expect(counts.size, channel).toBe(MEMBERS);
          const repeats = [...counts.values()].filter((count) => count > 1);
          expect(Math.max(0, ...repeats), channel).toBeLessThanOrEqual(2);
          expect(repeats.length, channel).toBeLessThanOrEqual(BATCH[channel]);
        }
        // A mailbox can drop a repeat: it has the Message-ID of the first.
        const messageIds = countBy(sandbox.mails.receipts().map(({ messageId }) => messageId));
        expect(messageIds.size).toBe(MEMBERS);
        // The crash and the members neither delay nor repeat the instant message.
        expect(sandbox.discord.messages('instant')).toHaveLength(1);
      },
      ['instant'],
      ({ smtpUrl, webhookHost }) => ({ SMTP_URL: smtpUrl, ALLOWED_PRIVATE_HOSTS: webhookHost }),
    ),
);
