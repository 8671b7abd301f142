import { DELIVERY_WORDS } from '#shared/alerts/deliveries/delivery-state';
import { describeDevice } from '#shared/accounts/describe-device';
import type { ListedDelivery } from '#shared/member-alerts/list-member-deliveries';
import type { QuietWindow } from '#shared/quiet-hours';
import { clockAndDay } from '~/components/time/time-format';
import { Panel } from '~/components/ui/card';
import { Empty, Facts, ListTitle } from './facts';

export interface MemberAlerts {
  byEmail: boolean;
  byPush: boolean;
  /** The titles of the waiting rooms that the member chose; null: all. */
  chosen: string[] | null;
  /** The mail server's answer when it refused the address; null: it did not. */
  bounce: { at: string; reason: string } | null;
  devices: { id: string; userAgent: string | null; endedAt: string | null }[];
  quietHours: QuietWindow | null;
  /** The sentences that the member sees about the next alert. */
  next: string[];
  deliveries: ListedDelivery[];
}

/** The state of a message, in words that an admin can repeat to the member. */
function outcomeOf({ channel, state, reason, dueAt, sentAt }: ListedDelivery, now: number): string {
  const because = reason === null ? '' : `: ${reason}`;
  switch (state) {
    case 'sent':
      return `${channel === 'email' ? 'The mail server' : 'The push service'} accepted it at ${clockAndDay(sentAt ?? dueAt, now)}`;
    case 'waiting':
      return Date.parse(dueAt) > now ? `Quiet hours: it waits until ${clockAndDay(dueAt, now)}` : 'Queued';
    case 'tryingAgain':
      return `It will be tried again at ${clockAndDay(dueAt, now)}${because}`;
    case 'cancelled':
      return `Not sent${because}`;
    case 'failed':
      return `Refused${because}`;
    case 'expired':
      return `Not sent in time${because}`;
    case 'handled':
      return `Not sent; an admin has marked it as handled${because}`;
    case 'sending':
      return 'It is being sent';
  }
}

/** How alerts reach a member, and the states of the last messages. */
export function MemberAlertsPanel({
  alerts: { byEmail, byPush, chosen, bounce, devices, quietHours, next, deliveries },
  now,
}: {
  alerts: MemberAlerts;
  now: number;
}) {
  return (
    <Panel title="Alerts">
      <Facts
        facts={[
          ['By email', byEmail ? 'On' : 'Switched off by the member'],
          [
            'Address',
            bounce === null
              ? null
              : `Refused at ${clockAndDay(bounce.at, now)}, so no alerts go there: ${bounce.reason}. A test email that the mailbox accepts clears this.`,
          ],
          ['As notifications', byPush ? 'On' : 'Not switched on'],
          [
            'Devices',
            devices.length === 0
              ? 'None'
              : devices
                  .map(({ userAgent, endedAt }) =>
                    endedAt === null
                      ? describeDevice(userAgent)
                      : `${describeDevice(userAgent)} (its notifications ended at ${clockAndDay(endedAt, now)}; opening the account page there turns them on again)`,
                  )
                  .join(', '),
          ],
          ['Waiting rooms', chosen === null ? 'All' : chosen.length === 0 ? 'None' : chosen.join(', ')],
          [
            'Quiet hours',
            quietHours === null
              ? 'None'
              : `${quietHours.from}:00 to ${quietHours.to}:00, ${quietHours.timeZone}`,
          ],
          ['The member reads', next.join(' ')],
        ]}
      />
      <ListTitle>Last messages</ListTitle>
      {deliveries.length === 0 ? (
        <Empty>
          None in the last days. Messages are listed until three days after their alert has closed.
        </Empty>
      ) : (
        <ul className="divide-y divide-line">
          {deliveries.map((delivery) => {
            const { id, about, channel, userAgent, state, createdAt } = delivery;
            const isFault = state === 'failed' || state === 'expired';
            return (
              <li key={id} className="py-2.5 wrap-anywhere">
                <p>
                  {about ?? 'Test'}, {channel === 'email' ? 'email' : describeDevice(userAgent)}:{' '}
                  <strong className={isFault ? 'text-live' : undefined}>{DELIVERY_WORDS[state]}</strong>
                </p>
                <p className="text-small text-soft">
                  <time dateTime={createdAt}>{clockAndDay(createdAt, now)}</time>. {outcomeOf(delivery, now)}.
                </p>
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
