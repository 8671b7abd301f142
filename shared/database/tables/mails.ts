import type { Generated } from 'kysely';

/** The outbox of mails to users. */
export interface MailsTable {
  id: string;
  recipient: string;
  template:
    | 'code'
    | 'already_registered'
    | 'beta_approved'
    | 'password_changed'
    | 'tokens_bought'
    | 'tokens_taken_back'
    | 'subscription_paid'
    | 'renewal_confirmation'
    | 'renewal_failed'
    | 'subscription_ended';
  /** The facts of a mail about a payment, as JSON (`mail/payment-mails.ts`); null for the others. */
  data: string | null;
  /** The code in the mail. */
  verification_code_id: string | null;
  /** The code, sealed with the session secret; cleared once the mail no longer needs it. */
  sealed_code: string | null;
  /**
   * pending: to be sent at `due_at` (by the transaction that adds it, or a failed attempt that is retried); sending:
   * claimed until `claimed_until` (by the sender); sent: the mail server accepted it (by the sender); cancelled: its
   * code is no longer valid, or its content no longer true (by the newer code or the sender); dead: rejected for good
   * or expired, reason in `last_error` (by the sender).
   */
  status: 'pending' | 'sending' | 'sent' | 'cancelled' | 'dead';
  due_at: string;
  /** The mail is useless after this time. */
  expires_at: string;
  attempts: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  /** 1 when an attempt ended without an answer: the mail server may already have the mail. */
  uncertain: Generated<0 | 1>;
  sent_at: string | null;
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}
