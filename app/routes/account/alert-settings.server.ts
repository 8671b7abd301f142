import type { Viewer } from '#shared/accounts/account';
import { updatePreferences } from '#shared/accounts/change-account';
import { readPreferences, type Preferences } from '#shared/accounts/preferences';
import { DomainError } from '#shared/errors';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { sendTestAlerts } from '#shared/member-alerts/send-test-alerts';
import { listWatches } from '#shared/monitor/watches/watches';
import { findPublicPushKey } from '#shared/push/push-keys.server';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import type { FormOutcome } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';

/** What the account page shows of alerts to the member. */
export async function readAlertSettings({ account, membership }: Viewer) {
  const { db, mail } = serverContext();
  const [watches, devices, test, pushKey] = await Promise.all([
    listWatches(db),
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

/** Saves the preferences form. Throws `Invalid` `no_watch_chosen`, and as `updatePreferences`. */
export async function savePreferences(
  fields: PreferenceFields,
  { account }: Pick<Viewer, 'account'>,
): Promise<void> {
  const { db, clock } = serverContext();
  const { alertsByEmail, alertsByPush, marketing } = fields;
  const alerts = { email: alertsByEmail, push: alertsByPush, watches: watchesOf(fields) };
  await updatePreferences(db, { accountId: account.id, preferences: { alerts, marketing }, clock });
}

/** Sends a test to the member, and says where to. Throws as `sendTestAlerts`. */
export async function requestTest({ account }: Pick<Viewer, 'account'>): Promise<FormOutcome> {
  const { db, clock, mail } = serverContext();
  const { email, push } = await sendTestAlerts(db, { account, mailEnabled: mail.enabled, clock });
  const targets = [
    ...(email > 0 ? [account.email] : []),
    ...(push > 0 ? [push === 1 ? 'one device' : `${push} devices`] : []),
  ];
  return { message: `A test is on its way to ${targets.join(' and ')}. It arrives within a minute.` };
}
