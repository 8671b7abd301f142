import { sql, type RawBuilder } from 'kysely';

/**
 * An attempt is uncertain when the message was sent and no answer came: the receiver may have it. Such a row is sent once
 * more at most.
 */
export const SENT_TWICE = 'it was sent twice without an answer, so it is not sent again';

/**
 * The columns that a claim sets for this rule (`onClaim`). An expired claim belonged to a sender that died, perhaps after
 * it had sent: the first one makes the row uncertain, and the second one expires it, unless `rows` excludes the row.
 */
export function uncertainOnClaim(
  rows: RawBuilder<unknown> = sql`1 = 1`,
): Record<string, RawBuilder<unknown>> {
  const isSpent = sql`status = 'sending' and uncertain = 1 and ${rows}`;
  return {
    uncertain: sql`case when status = 'sending' then 1 else uncertain end`,
    last_error: sql`case when ${isSpent} then ${sql.lit(SENT_TWICE)} else last_error end`,
    // The end of the expired claim is in the past.
    expires_at: sql`case when ${isSpent} then claimed_until else expires_at end`,
  };
}
