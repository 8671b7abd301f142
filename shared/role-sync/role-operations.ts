import { z } from 'zod';
import type { Viewer } from '../accounts/account';
import { writeAudit } from '../audit/write-audit';
import { toIso } from '../clock';
import { inTransaction, type WriteContext } from '../database/transaction';
import { DomainError } from '../errors';
import { operation, type Admin } from '../operation';
import type { Queues } from '../queues/connection.server';
import { enqueueHousekeeping } from '../queues/enqueue';
import { dueNow, requestRoles } from '../roles/request-roles';
import { AUDIENCES, readRoleSettings, roleSettingsSchema } from '../roles/role-settings';
import { requireNoWatchRole } from '../roles/watch-roles';
import { SETTING_KEY } from '../settings/read-settings';
import { storeSetting } from '../settings/write-settings';

interface Context extends WriteContext {
  /** Null without Redis. */
  queues: Queues | null;
}

/** Starts a comparison. Throws `Unavailable` without Redis. */
async function startComparison(queues: Queues | null): Promise<void> {
  if (queues === null)
    throw new DomainError('Unavailable', {
      code: 'queue_unavailable',
      message: 'A background service is not running right now. Please try again in a minute.',
    });
  await enqueueHousekeeping(queues, 'compareRoles');
}

export const roleOperations = {
  /**
   * Changes the settings, and compares the roles. Members keep a role that was set before. Throws `Invalid`
   * (`role_taken`) for the role of a watch.
   */
  change: operation({
    access: 'admin',
    input: roleSettingsSchema,
    async run({ db, clock, queues }: Context, { actor }: Admin, settings) {
      await inTransaction(db, async (trx) => {
        const before = await readRoleSettings(trx);
        const changed = AUDIENCES.filter((audience) => before[audience] !== settings[audience]);
        await requireNoWatchRole(
          trx,
          changed.map((audience) => ({ audience, roleId: settings[audience] })),
        );
        await storeSetting(
          trx,
          { key: SETTING_KEY.discordRoles, value: JSON.stringify(settings) },
          { actor, clock },
        );
        if (changed.length === 0) return;
        // The findings concern the previous role.
        await trx
          .updateTable('member_roles')
          .set({ found: 'unknown', found_at: null, difference: null, updated_at: toIso(clock.now()) })
          .where('audience', 'in', changed)
          .execute();
      });
      // Without Redis, the daily comparison follows.
      await startComparison(queues).catch(() => undefined);
    },
    sentence: 'Saved. The roles are being compared.',
  }),
  compare: operation({
    access: 'admin',
    run: ({ queues }: Context, _admin: Admin) => startComparison(queues),
    sentence: 'The comparison has started. Reload this page in a few seconds.',
  }),
  /**
   * Accepts the differences of the comparison made at `comparedAt`. Returns how many are being changed. Throws `Conflict`
   * when there is a newer comparison.
   */
  apply: operation({
    access: 'admin',
    input: z.object({ comparedAt: z.string().max(40) }),
    run: ({ db, clock }: Context, { actor }: Admin, { comparedAt }) =>
      inTransaction(db, async (trx) => {
        const server = await trx.selectFrom('discord_server').select('compared_at').executeTakeFirst();
        if (server?.compared_at !== comparedAt)
          throw new DomainError('Conflict', {
            code: 'compared_again',
            message: 'The roles have been compared again since then. Please check the new list.',
          });
        const now = clock.now();
        const { numUpdatedRows } = await trx
          .updateTable('member_roles')
          .set(dueNow(now))
          .where('difference', 'is not', null)
          .executeTakeFirstOrThrow();
        const count = Number(numUpdatedRows);
        await writeAudit(trx, { actor, action: 'roles.apply', details: { count } }, now);
        return count;
      }),
    sentence: (count) => (count === 1 ? 'One role is being changed.' : `${count} roles are being changed.`),
  }),
  /** Compares the roles of the member's own Discord account, such as after joining the server. */
  check: operation({
    access: 'member',
    limit: 'accountWrite',
    run: ({ db, clock }: Context, { account }: Viewer) =>
      inTransaction(db, (trx) => requestRoles(trx, [account.discord_id], clock.now())),
    sentence: 'Your roles are being checked. Reload this page in a few seconds.',
  }),
};
