import { endUnlistedAdmins } from '#shared/accounts/admin-lists';
import { retryWhileAway } from '#shared/database/transaction';
import type { ServerContext } from '~/http/server/context.server';

/**
 * Ends the role of admins whom the lists of the environment, which only a start reads, no longer name. A failure is logged.
 */
export async function endRolesOfUnlistedAdmins({ db, clock, config, log }: ServerContext): Promise<void> {
  try {
    const ended = await retryWhileAway(() => endUnlistedAdmins(db, { lists: config, now: clock.now() }));
    if (ended.length > 0)
      log.warn({ accounts: ended }, 'no longer admins: ADMIN_EMAILS and ADMIN_DISCORD_IDS do not name them');
  } catch (error) {
    log.error({ err: error }, 'the roles of admins could not be compared with the lists of the environment');
  }
}
