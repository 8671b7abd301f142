import type { Generated } from 'kysely';

/** The outbox of mails to people. */
export interface MailsTable {
  id: string;
  recipient: string;
  template: 'code' | 'already_registered' | 'beta_approved';
  /** The code that the mail brings. */
  verification_code_id: string | null;
  /** That code, sealed with the session secret; gone once the mail needs it no more. */
  sealed_code: string | null;
  /**
   * pending: to be sent at `due_at` (by whoever has something to say; by a failed attempt that tries again);
   * sending: claimed until `claimed_until` (by the worker that sends); sent: the mail server took it (by the worker);
   * cancelled: its code is of no use any more (by the newer code or the worker);
   * dead: refused for good or too late, reason in `last_error` (by the worker).
   */
  status: 'pending' | 'sending' | 'sent' | 'cancelled' | 'dead';
  due_at: string;
  /** Later than this the mail is of no use. */
  expires_at: string;
  attempts: Generated<number>;
  claimed_by: string | null;
  claimed_until: string | null;
  sent_at: string | null;
  last_status: number | null;
  last_error: string | null;
  created_at: string;
  updated_at: string;
}
