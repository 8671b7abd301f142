import type { AlertDeliveriesTable } from '../../database/tables/monitor/alert-deliveries';
import type { AlertsTable } from '../../database/tables/monitor/alerts';

/** The state of a delivery as the monitor screen and the command line name it. */
export type DeliveryState =
  | 'waiting'
  | 'sending'
  | 'tryingAgain'
  | 'sent'
  | 'cancelled'
  | 'failed'
  | 'expired'
  | 'handled';

export const DELIVERY_STATES = [
  'waiting',
  'sending',
  'tryingAgain',
  'sent',
  'cancelled',
  'failed',
  'expired',
  'handled',
] as const satisfies readonly DeliveryState[];

/** The labels on screens and the command line. */
export const DELIVERY_WORDS: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  tryingAgain: 'Trying again',
  sent: 'Sent',
  cancelled: 'Cancelled',
  failed: 'Failed',
  expired: 'Expired',
  handled: 'Handled',
};

type StateColumns = {
  status: AlertDeliveriesTable['status'];
  attempts: number;
  last_error: string | null;
  handled_at: string | null;
};

/** The state of an outbox row. A posted message that waits for an edit counts as sent until the edit fails. */
export function deliveryStateOf({ status, attempts, last_error, handled_at }: StateColumns): DeliveryState {
  switch (status) {
    case 'pending':
      return attempts === 0 ? 'waiting' : 'tryingAgain';
    case 'outdated':
      return last_error === null ? 'sent' : 'tryingAgain';
    case 'dead':
      return handled_at === null ? 'failed' : 'handled';
    case 'expired':
      return handled_at === null ? 'expired' : 'handled';
    default:
      return status;
  }
}

/** Whether a failed message can still be sent: a first post while its alert is open, an edit at any time. */
export function canRetry(
  row: StateColumns & { sent_at: string | null },
  alert: { status: AlertsTable['status'] },
): boolean {
  return deliveryStateOf(row) === 'failed' && (row.sent_at !== null || alert.status === 'open');
}
