import type { OutboxColumns } from './outbox-columns';

/** The outbox of mails to users. */
export interface MailsTable extends OutboxColumns {
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
  /** The code in the mail. A newer code cancels the mail. */
  verification_code_id: string | null;
  /** The code, sealed with the session secret; cleared once the mail no longer needs it. */
  sealed_code: string | null;
}
