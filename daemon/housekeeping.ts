import { type AdminContacts, purgeNotices } from '#shared/alerts/admin-notices';
import { purgeSuggestions } from '#shared/follows/suggestions';
import { purgeExpired } from '#shared/accounts/purge-expired';
import { DAY, HOUR, MINUTE, type Clock } from '#shared/clock';
import { levelOf } from '#shared/database/database-errors';
import type { DiscordGuild } from '#shared/channels/discord/discord-guild.server';
import type { Database } from '#shared/database/schema';
import type { Logger } from '#shared/logger.server';
import { announceFaults, announceReversals } from '#shared/billing/announce';
import { purgeAudit } from '#shared/audit/write-audit';
import { releaseSpace } from '#shared/database/upkeep';
import { purgeDownloadStarts } from '#shared/releases/downloads';
import { purgeQuotes } from '#shared/subscriptions/plan-quotes.server';
import { purgeEvents } from '#shared/billing/purge-events';
import { reconcileActive, reconcilePending } from '#shared/billing/reconcile.server';
import { compareRoles } from '#shared/role-sync/compare-roles.server';
import { purgeMemberAlerts } from '#shared/member-alerts/purge-member-alerts';
import { purgeEndedSubscriptions } from '#shared/push/ended-subscriptions';
import { finishDeletions } from '#shared/personal-data/finish-deletions.server';
import { purgeExports } from '#shared/personal-data/data-exports';
import type { PaymentsContext } from '#shared/payments/payments-context';
import { applyRetention } from '#shared/monitor/retention';
import { purgePreviews } from '#shared/monitor/products/previews';
import { learnSourceTrust } from '#shared/monitor/products/source-trust';
import { makeMissingShareImages } from '#shared/news/media/missing-share-images.server';
import { sweepReleaseUploads } from '#shared/releases/release-uploads';
import type { Keyring } from '#shared/secrets.server';
import type { FileStorage } from '#shared/storage/storage';
import { sweepAreas } from '#shared/storage/sweep-uploads';
import { purgeRoles } from '#shared/roles/request-roles';
import { endOldProxies } from '#shared/tokens/open-proxies';

/** How often each job of the `housekeeping` queue runs. */
export const HOUSEKEEPING_EVERY = {
  retention: HOUR,
  uploads: 10 * MINUTE,
  deletions: 10 * MINUTE,
  shareImages: 10 * MINUTE,
  sourceTrust: 10 * MINUTE,
  reconcile: MINUTE,
  reconcileAll: DAY,
  compareRoles: DAY,
} as const;

/** Each deletes the rows of some tables whose retention period has ended, in small transactions, and returns how many. */
const PURGES: Record<string, (db: Database, now: number) => Promise<number>> = {
  async checks(db, now) {
    const { pagesCleared, checksDeleted } = await applyRetention(db, now);
    return pagesCleared + checksDeleted;
  },
  pagePreviews: purgePreviews,
  suggestions: purgeSuggestions,
  accountRows: purgeExpired,
  paymentEvents: purgeEvents,
  memberAlerts: purgeMemberAlerts,
  notices: purgeNotices,
  planQuotes: purgeQuotes,
  auditLog: purgeAudit,
  downloadStarts: purgeDownloadStarts,
  dataExports: purgeExports,
  endedPushDevices: purgeEndedSubscriptions,
  proxies: endOldProxies,
  roles: purgeRoles,
  // Last: what the others deleted left space in the database free.
  async freePages(db) {
    await releaseSpace(db);
    return 0;
  },
};

export interface Housekeeping {
  /** Deletes rows whose retention period has ended. */
  retention(): Promise<void>;
  /** Removes uploaded files that no row refers to, and the records of interrupted release uploads. */
  uploads(): Promise<void>;
  /** Deletes the accounts whose deletion is due. */
  deletions(): Promise<void>;
  /** Makes the share images of articles' images that have none, for example those of an earlier release. */
  shareImages(): Promise<void>;
  /** Determines which sources of a shop's pages are wrong too often to open an alert alone. */
  sourceTrust(): Promise<void>;
  /** Reads pending payments from Stripe again. */
  reconcile(): Promise<void>;
  /** Reads every active subscription from Stripe again. */
  reconcileAll(): Promise<void>;
  /** Compares the roles on Discord with what members should have. */
  compareRoles(): Promise<void>;
}

interface HousekeepingContext {
  db: Database;
  clock: Clock;
  logger: Logger;
  storage: FileStorage;
  releaseStorage: FileStorage;
  payments: PaymentsContext;
  /** Null: roles on Discord are switched off. */
  guild: DiscordGuild | null;
  keyring: Keyring;
  adminContacts: AdminContacts;
}

/** The jobs of the `housekeeping` queue. */
export function createHousekeeping({
  db,
  clock,
  logger,
  storage,
  releaseStorage,
  payments,
  guild,
  keyring,
  adminContacts,
}: HousekeepingContext): Housekeeping {
  const onFault = (error: unknown, subject: string): void =>
    logger.warn({ err: error, subject }, 'could not reconcile with Stripe');
  /** Logs the faults of payments that are new, and notifies the admins of them, of refunds and of disputes. */
  async function announce(): Promise<void> {
    for (const { fault, reason } of await announceFaults(db, { adminContacts, now: clock.now() }))
      logger.error({ fault, reason }, 'payments have a fault');
    await announceReversals(db, { adminContacts, now: clock.now() });
  }

  return {
    async retention() {
      const deleted: Record<string, number> = {};
      for (const [name, purge] of Object.entries(PURGES)) {
        try {
          const count = await purge(db, clock.now());
          if (count > 0) deleted[name] = count;
        } catch (error) {
          // A table that cannot be purged must not keep the rows of all others.
          logger[levelOf(error)]({ err: error, purge: name }, 'could not delete expired rows');
        }
      }
      if (Object.keys(deleted).length > 0) logger.info(deleted, 'deleted expired rows');
    },
    async uploads() {
      // A full disk refuses this write; the removal of files below frees space.
      await sweepReleaseUploads(db, { clock }).catch((error: unknown) =>
        logger.warn({ err: error }, 'could not remove the records of ended release uploads'),
      );
      const areas = [
        { area: 'uploads', storage },
        { area: 'releases', storage: releaseStorage },
      ] as const;
      const { faults, ...swept } = await sweepAreas(areas, { db, clock });
      if (swept.removed + swept.discarded > 0) logger.info(swept, 'removed unused uploaded files');
      if (faults.length > 0)
        logger.warn({ err: faults[0], faults: faults.length }, 'could not remove some uploaded files');
    },
    async deletions() {
      const { deleted, waiting, faults } = await finishDeletions({ db, payments, keyring });
      if (deleted.length > 0) logger.info({ accounts: deleted }, 'deleted accounts');
      for (const { accountId, reason } of waiting)
        logger.warn({ accountId, reason }, 'the deletion of an account waits');
      if (faults.length > 0)
        logger.warn({ err: faults[0], faults: faults.length }, 'could not delete some accounts');
    },
    async shareImages() {
      const { made, faults } = await makeMissingShareImages({ db, storage });
      if (made > 0) logger.info({ made }, 'made share images');
      if (faults.length > 0)
        logger.warn({ err: faults[0], faults: faults.length }, 'could not make some share images');
    },
    async sourceTrust() {
      const shops = await learnSourceTrust(db, clock.now());
      if (shops > 0) logger.info({ shops }, 'the trust in the pages of shops has changed');
    },
    async reconcile() {
      const report = await reconcilePending(payments, { onFault });
      if (report.changed + report.failed + (report.missing ?? 0) > 0)
        logger.info(report, 'reconciled pending payments');
      await announce();
    },
    async reconcileAll() {
      const report = await reconcileActive(payments, { onFault });
      logger.info(report, 'reconciled the active subscriptions');
      await announce();
    },
    async compareRoles() {
      const report = guild === null ? null : await compareRoles({ db, clock, guild });
      if (report !== null)
        logger[report.fault === null ? 'info' : 'warn'](report, 'compared the roles on Discord');
    },
  };
}
