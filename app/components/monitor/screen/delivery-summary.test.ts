import { expect, test } from 'vitest';
import type { DeliveryView } from '#shared/alerts/list-alerts';
import type { MemberResult } from '#shared/member-alerts/member-results';
import { countsOf, summariseDeliveries } from './delivery-summary';
import type { LastAlert } from './live-watch';

const AT = '2026-11-20T12:31:00.000Z';

const delivery = (state: DeliveryView['state'], sentAt: string | null = null): DeliveryView => ({
  id: state,
  audience: 'instant',
  channel: 'discord',
  status: 'sent',
  state,
  canRetry: false,
  attempts: 1,
  postedAtAttempt: sentAt === null ? null : 1,
  edits: 0,
  dueAt: AT,
  sentAt,
  responseMs: null,
  lastError: null,
});
const SENT = delivery('sent', AT);

const members = (counts: Partial<MemberResult>): MemberResult => ({
  channel: 'email',
  waiting: 0,
  sending: 0,
  tryingAgain: 0,
  sent: 0,
  cancelled: 0,
  failed: 0,
  expired: 0,
  handled: 0,
  reasons: [],
  ...counts,
});

const alertWith = (deliveries: DeliveryView[], results: MemberResult[] = [], complete = true): LastAlert => ({
  id: 'alert',
  status: 'open',
  strength: 'strong',
  openedAt: AT,
  lastSeenAt: AT,
  closedAt: null,
  closeReason: null,
  deliveries,
  members: { complete, results },
});

test.each<[string, LastAlert, [number, number, string, string]]>([
  [
    'everyone has it',
    alertWith([SENT, SENT], [members({ sent: 1_202 })]),
    [1_204, 1_204, 'reached everyone', 'good'],
  ],
  ['one is cancelled', alertWith([SENT, delivery('cancelled')]), [1, 1, '1 cancelled', 'partial']],
  ['all are cancelled', alertWith([delivery('cancelled')]), [0, 0, '1 cancelled', 'partial']],
  [
    'some wait',
    alertWith([SENT, delivery('waiting')], [members({ sending: 3 })]),
    [1, 5, '4 on the way', 'busy'],
  ],
  ['one tries again', alertWith([delivery('tryingAgain')]), [0, 1, '1 trying again', 'busy']],
  [
    'many fail',
    alertWith([delivery('failed'), delivery('expired')], [members({ failed: 1_000, sent: 2 })]),
    [2, 1_004, '1,001 failed, 1 expired', 'bad'],
  ],
  ['a failure is handled', alertWith([SENT, delivery('handled')]), [1, 2, '1 handled', 'partial']],
  ['its edit failed', alertWith([delivery('failed', AT)]), [1, 1, '1 failed', 'bad']],
  ['members are being listed', alertWith([SENT], [], false), [1, 1, 'listing members', 'busy']],
  ['there is no receiver', alertWith([]), [0, 0, 'no receiver was set', 'bad']],
])('%s', (_name, alert, [reached, total, words, tone]) => {
  expect(summariseDeliveries(alert)).toEqual({ reached, total, words, tone });
});

test('the counts of a channel name what is urgent first, and nothing that is empty', () => {
  expect(countsOf(members({ sent: 9, failed: 2, waiting: 1 }))).toEqual([
    ['failed', 2],
    ['waiting', 1],
    ['sent', 9],
  ]);
});
