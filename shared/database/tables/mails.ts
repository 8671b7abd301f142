import type { OutboxColumns } from './outbox-columns';

/** The outbox of mails to users. */
export interface MailsTable extends OutboxColumns {
  recipient: string;
  template:
    | 'code'
    | 'already_registered'
    | 'beta_approved'
    | 'password_changed'
    | 'new_browser'
    | 'data_export'
    | 'passkey'
    | 'account_deletion'
    | 'tokens_bought'
    | 'tokens_taken_back'
    | 'subscription_paid'
    | 'renewal_confirmation'
    | 'renewal_failed'
    | 'subscription_ended';
  /** The facts of the mail as JSON (`mail/send-mail.server.ts`); null for those without any. */
  data: string | null;
  /** The code in the mail. A newer code cancels the mail. */
  verification_code_id: string | null;
  /** The code, sealed with the session secret; cleared once the mail no longer needs it. */
  sealed_code: string | null;
}
