import type { Selectable } from 'kysely';
import { exponentialBackoffMs } from '../backoff';
import { MINUTE, SECOND } from '../clock';
import type { MemberDeliveriesTable } from '../database/tables/members/member-deliveries';
import { createOutbox } from '../outbox/outbox';

export type MemberDelivery = Selectable<MemberDeliveriesTable>;
export type MemberChannel = MemberDeliveriesTable['channel'];

/**
 * Longer than one attempt: a connection and a mail have 10 s and 15 s of silence each, a push message 10 s in all. A
 * claim older than this belongs to a dead sender.
 */
const CLAIM_LIFETIME_MS = MINUTE;
const MAX_BACKOFF_MS = 30 * SECOND;

/** The outbox of alerts to members. */
export const memberOutbox = createOutbox('member_deliveries', {
  unfinished: ['pending', 'sending'],
  claimLastsMs: CLAIM_LIFETIME_MS,
});

/** 1, 2, 4, 8 … 30 s after the 1st, 2nd, 3rd … failed attempt, spread by up to a fifth either way. */
export function memberBackoffMs(attempt: number): number {
  return exponentialBackoffMs({ attempt, firstMs: SECOND, maxMs: MAX_BACKOFF_MS });
}
