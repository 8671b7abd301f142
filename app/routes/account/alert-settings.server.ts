import type { Viewer } from '#shared/accounts/account';
import { readPreferences, type PreferenceChanges, type Preferences } from '#shared/accounts/preferences';
import { DomainError } from '#shared/errors';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { listRoomWatches } from '#shared/monitor/watches/watches';
import { findPublicPushKey } from '#shared/channels/push/push-keys.server';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { serverContext } from '~/http/server/context.server';

/** What the account page shows of alerts to the member. */
export async function readAlertSettings({ account, membership }: Viewer) {
  const { db, mail } = serverContext();
  const [watches, devices, test, pushKey] = await Promise.all([
    listRoomWatches(db),
    listPushSubscriptions(db, { userId: account.id }),
    readTestResults(db, { userId: account.id }),
    findPublicPushKey(db),
  ]);
  return {
    preferences: readPreferences(account.preferences),
    isPro: membership.tier === 'pro',
    mailEnabled: mail.enabled,
    bouncedAt: account.mail_bounced_at,
    bounceReason: account.mail_bounce_reason,
    watches: watches.map(({ slug, shop, title }) => ({ slug, shop, title })),
    devices,
    pushKey,
    test,
  };
}

/** The fields of the preferences form. */
export interface PreferenceFields {
  alertsByEmail: boolean;
  alertsByPush: boolean;
  marketing: boolean;
  /** Absent when the form offers no choice of watches. */
  watchChoice?: 'all' | 'chosen';
  watches: string[];
}

function watchesOf({ watchChoice, watches }: PreferenceFields): Preferences['alerts']['watches'] | undefined {
  if (watchChoice === undefined) return undefined;
  if (watchChoice === 'all') return null;
  if (watches.length > 0) return watches;
  const message = 'Please choose at least one waiting room. To get no alerts, switch them off above.';
  throw new DomainError('Invalid', {
    code: 'no_watch_chosen',
    message,
    fieldErrors: { watches: [message] },
  });
}

/** The preferences of the form. Throws `Invalid` `no_watch_chosen`. */
export function preferencesOf(fields: PreferenceFields): PreferenceChanges {
  const { alertsByEmail, alertsByPush, marketing } = fields;
  return { alerts: { email: alertsByEmail, push: alertsByPush, watches: watchesOf(fields) }, marketing };
}
