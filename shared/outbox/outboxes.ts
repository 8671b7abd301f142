import { sql } from 'kysely';
import { MINUTE, SECOND } from '../clock';
import { createOutbox } from './outbox';
import { uncertainOnClaim } from './uncertain';

/**
 * Every outbox, by the queue of its jobs. The reclaiming of claims and the steps of the clock go through this list. A claim
 * lasts longer than an attempt, which renews it all the same.
 */
export const OUTBOXES = {
  /** Alerts and notices to the admins. A Discord webhook has 30 s to answer. */
  alerts: createOutbox('alert_deliveries', {
    unfinished: ['pending', 'sending', 'outdated'],
    claimLifetimeMs: 40 * SECOND,
    waitingStatus: sql`case when sent_at is null then 'pending' else 'outdated' end`,
    // An edit may be repeated at will.
    onClaim: uncertainOnClaim(sql<boolean>`sent_at is null`),
  }),
  /** Mails to people. */
  mail: createOutbox('mails', {
    unfinished: ['pending', 'sending'],
    claimLifetimeMs: 2 * MINUTE,
    onClaim: uncertainOnClaim(),
  }),
  /** Alerts to members. A claimed row may wait for its attempt. */
  members: createOutbox('member_deliveries', {
    unfinished: ['pending', 'sending'],
    claimLifetimeMs: 2 * MINUTE,
    onClaim: uncertainOnClaim(),
  }),
  /** Stripe's events, claimed and retried as the rows of every outbox. An object is read from Stripe within 45 s. */
  payments: createOutbox('payment_events', { unfinished: ['pending', 'sending'], claimLifetimeMs: MINUTE }),
};
