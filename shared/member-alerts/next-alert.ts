import type { Account } from '../accounts/account';
import { isPaused, quietWindowsOf, readPreferences, type Preferences } from '../accounts/preferences';
import { fromIso } from '../clock';
import type { Database } from '../database/schema';
import { counted } from '../format';
import { quietUntil } from '../quiet-hours';

interface Reachable {
  preferences: Preferences;
  isPro: boolean;
  /** Whether the site sends mail and the member's mailbox accepts it. */
  takesMail: boolean;
  /** Whether a browser of the member receives notifications. */
  hasDevice: boolean;
  /** The quiet hours of the products that the member follows. */
  follows: readonly { quiet_from: number | null; quiet_to: number | null }[];
}

/** "Sunday 29 November at 07:00" in a time zone, which is named unless it is London's. */
function timeIn(timeZone: string, at: number): string {
  const format = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
  } as const;
  const words = new Intl.DateTimeFormat('en-GB', { ...format, hourCycle: 'h23', timeZone }).format(at);
  return timeZone === 'Europe/London' ? words : `${words} (${timeZone})`;
}

/**
 * When an alert that opens now reaches a member, in sentences for them, with times in their time zone. A mail that waits is
 * sent only if the alert is still open then. `now`: epoch ms.
 */
export function nextAlertWords(
  { preferences, isPro, takesMail, hasDevice, follows }: Reachable,
  now: number,
): string[] {
  const { alerts, timeZone } = preferences;
  if (!isPro) return ['Email alerts and notifications come with Pro, so you would get none at the moment.'];
  const byMail = alerts.email && takesMail;
  const byPush = alerts.push && hasDevice;
  if (!byMail && !byPush)
    return ['The next alert would not reach you: you can currently get no emails or notifications.'];
  const paused = isPaused(preferences, now);
  const from = paused ? fromIso(alerts.pausedUntil ?? '') : now;
  const quiet = quietUntil(quietWindowsOf(preferences), from);
  const first = paused
    ? `Your alerts are paused until ${timeIn(timeZone, from)}. You get no alerts for anything that opens before then.`
    : quiet === null
      ? 'The next alert reaches you at once.'
      : `Your quiet hours last until ${timeIn(timeZone, quiet)}.`;
  const end = quiet ?? from;
  const waiting = follows.filter(
    (follow) => (quietUntil(quietWindowsOf(preferences, follow), from) ?? from) > end,
  ).length;
  const ofFollows =
    byMail && waiting > 0
      ? [
          `Emails about ${counted(waiting, 'product')} that you follow wait longer, because of their own quiet hours.`,
        ]
      : [];
  if (quiet === null) return [first, ...ofFollows];
  const when = paused ? `from ${timeIn(timeZone, from)}` : 'at once';
  return [
    first,
    ...(byMail
      ? [
          `The next alert reaches you by email on ${timeIn(timeZone, quiet)}, if it is still open then; if not, it is not sent.`,
        ]
      : []),
    ...ofFollows,
    ...(byPush ? [`Notifications reach you ${when}, without a sound until ${timeIn(timeZone, quiet)}.`] : []),
  ];
}

/** `nextAlertWords` for an account. `hasDevice`: as there. `now`: epoch ms. */
export async function readNextAlertWords(
  db: Database,
  {
    account,
    isPro,
    mailEnabled,
    hasDevice,
    now,
  }: { account: Account; isPro: boolean; mailEnabled: boolean; hasDevice: boolean; now: number },
): Promise<string[]> {
  const follows = await db
    .selectFrom('product_follows')
    .select(['quiet_from', 'quiet_to'])
    .where('user_id', '=', account.id)
    .where('quiet_from', 'is not', null)
    .execute();
  const takesMail = mailEnabled && account.mail_bounced_at === null && account.email_verified_at !== null;
  const preferences = readPreferences(account.preferences);
  return nextAlertWords({ preferences, isPro, takesMail, hasDevice, follows }, now);
}
