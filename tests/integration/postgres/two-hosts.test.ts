import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HOUR, SECOND, systemClock as clock, toIso } from '#shared/clock';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addMail, mailOutbox } from '#shared/mail/mails';
import { takeCheckLease } from '#shared/monitor/checks/check-lease';
import { writeHeartbeat, type DaemonInstance } from '#shared/monitor/heartbeat';
import { readWatch } from '#shared/monitor/watches/watches';
import { reclaimFromDeadDaemons } from '../../../daemon/reclaim';
import { createTestDatabase, type TestDatabase } from '../database';

const ROUNDS = Number(process.env.PACKWATCH_ROUNDS ?? 1);
/** No process has it: Linux allows at most 2^22 (proc(5)). */
const UNUSED_PID = 2 ** 30;
const logger = pino({ level: 'silent' });

let test: TestDatabase;
beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.cleanup());

function daemonAt(place: Pick<DaemonInstance, 'bootId' | 'pid'>): DaemonInstance {
  return { id: newId(), host: 'packwatch', pidNamespace: 'pid:[1]', startedAt: clock.now(), ...place };
}

/** A daemon that checks the default watch and sends a mail. Returns whether it still has both. */
async function busy(instance: DaemonInstance): Promise<() => Promise<{ lease: boolean; claim: boolean }>> {
  const { db } = test;
  const now = clock.now();
  await db.updateTable('watches').set({ lease_owner: null, lease_until: null }).execute();
  await writeHeartbeat(db, { instance, redisFault: null, now });
  await takeCheckLease(db, { owner: instance.id, clock });
  const mail = { to: 'ann@example.org', template: 'already_registered', expiresAt: now + HOUR } as const;
  const { id } = await inTransaction(db, (trx) => addMail(trx, mail, now - SECOND));
  await mailOutbox.claim(db, { ids: [id], owner: instance.id, now });
  return async () => {
    const row = await db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return {
      lease: (await readWatch(db)).lease_owner === instance.id,
      claim: (row.claimed_until ?? '') > toIso(clock.now()),
    };
  };
}

it('of two machines of one name, the daemon that starts at one leaves the claims of the other', async () => {
  for (let round = 0; round < ROUNDS; round += 1)
    // The other's pid is ours, or is unused here.
    for (const pid of [process.pid, UNUSED_PID]) {
      const keeps = await busy(daemonAt({ bootId: 'another machine', pid }));
      const starting = daemonAt({ bootId: 'this machine', pid: process.pid });
      await reclaimFromDeadDaemons(test.db, starting, clock.now(), logger);
      expect(await keeps()).toEqual({ lease: true, claim: true });
    }
});

it('the claims of a daemon of this machine that has died are free', async () => {
  const keeps = await busy(daemonAt({ bootId: 'this machine', pid: UNUSED_PID }));
  const starting = daemonAt({ bootId: 'this machine', pid: process.pid });
  await reclaimFromDeadDaemons(test.db, starting, clock.now(), logger);
  expect(await keeps()).toEqual({ lease: false, claim: false });
});
