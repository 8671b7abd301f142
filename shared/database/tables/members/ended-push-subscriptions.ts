import type { PushSubscriptionsTable } from './push-subscriptions';

/**
 * Browsers whose push service ended their subscription, until they subscribe again, the member removes them or 90 days
 * have passed.
 */
export interface EndedPushSubscriptionsTable extends PushSubscriptionsTable {
  /** gone: the subscription does not exist any more; refused: the push service refuses our key for it. */
  why: 'gone' | 'refused';
  ended_at: string;
}
