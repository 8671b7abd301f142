import type { Account } from '#shared/accounts/account';
import { readManagedAccount, requireAccountById } from '#shared/accounts/account-status.server';
import { readPreferences } from '#shared/accounts/preferences';
import { listSessions } from '#shared/accounts/sessions';
import { listReceipts } from '#shared/billing/receipts';
import { listAudit } from '#shared/audit/list-audit';
import { listFollows } from '#shared/follows/follows';
import { listMemberDeliveries } from '#shared/member-alerts/list-member-deliveries';
import { readNextAlertWords } from '#shared/member-alerts/next-alert';
import { listRoomWatches } from '#shared/monitor/watches/watches';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { readRoles } from '#shared/role-sync/read-roles';
import { listSubscriptions } from '#shared/subscriptions/list-subscriptions';
import { readMembership } from '#shared/subscriptions/membership';
import { readSubscription } from '#shared/subscriptions/read-subscription';
import { listLedger, readBalance } from '#shared/tokens/token-ledger';
import type { MemberAlerts } from '~/components/admin/members/alerts-panel';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';

const LAST = { deliveries: 20, ledger: 10, subscriptions: 3, audit: 10 } as const;

async function readAlerts(account: Account): Promise<MemberAlerts> {
  const { db, mail, clock } = serverContext();
  const preferences = readPreferences(account.preferences);
  const { alerts, timeZone } = preferences;
  const now = clock.now();
  const [watches, devices, deliveries] = await Promise.all([
    listRoomWatches(db),
    listPushSubscriptions(db, { userId: account.id }),
    listMemberDeliveries(db, { userId: account.id, limit: LAST.deliveries }),
  ]);
  const { mail_bounced_at: bouncedAt, mail_bounce_reason: reason } = account;
  return {
    byEmail: alerts.email,
    byPush: alerts.push,
    chosen:
      alerts.watches &&
      watches.filter(({ slug }) => alerts.watches?.includes(slug)).map(({ title }) => title),
    bounce: bouncedAt === null ? null : { at: bouncedAt, reason: reason ?? '' },
    devices: devices.map(({ id, userAgent, endedAt }) => ({ id, userAgent, endedAt })),
    quietHours: alerts.quietHours && { ...alerts.quietHours, timeZone },
    next: await readNextAlertWords(db, {
      account,
      isPro: (await readMembership(db, { accountId: account.id, now })).tier === 'pro',
      mailEnabled: mail.enabled,
      hasDevice: devices.some(({ endedAt }) => endedAt === null),
      now,
    }),
    deliveries,
  };
}

/** The member data for admins. A part that cannot be read is null. Throws `NotFound` for an unknown account. */
export async function readMemberFacts(accountId: string) {
  const { db, clock, config } = serverContext();
  const now = clock.now();
  const account = await requireAccountById(db, accountId);
  const [managed, roles, plan, tokens, sessions, alerts, follows, history] = await Promise.all([
    readManagedAccount(db, { accountId, clock }),
    loadOptional(async () =>
      account.discord_id === null || config.discord.bot === null
        ? null
        : readRoles(db, { discordId: account.discord_id, now }),
    ),
    loadOptional(async () => ({
      plan: await readSubscription(db, { accountId, now }),
      subscriptions: await listSubscriptions(db, { accountId, limit: LAST.subscriptions }),
      receipts: (await listReceipts(db, { accountId })).map(({ mail: _, ...receipt }) => receipt),
    })),
    loadOptional(async () => ({
      balance: await readBalance(db, { accountId }),
      ledger: await listLedger(db, { accountId, limit: LAST.ledger }),
    })),
    loadOptional(() => listSessions(db, { accountId, clock })),
    loadOptional(() => readAlerts(account)),
    loadOptional(async () => {
      const { tier } = await readSubscription(db, { accountId, now });
      const followed = await listFollows(db, { userId: accountId, tier, now });
      return followed.map(({ product, wants, counts }) => ({ ...product, wants, counts }));
    }),
    loadOptional(() => listAudit(db, { subject: accountId, limit: LAST.audit })),
  ]);
  return {
    now,
    account: managed,
    roles,
    beta: { requestedAt: account.beta_requested_at, approvedAt: account.beta_approved_at },
    plan,
    tokens,
    sessions,
    alerts,
    follows,
    history,
  };
}
