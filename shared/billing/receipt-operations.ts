import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import type { MailOutbox } from '../mail/mails';
import { operation, type Admin } from '../operation';
import { resendReceipt } from './receipts';

export const receiptOperations = {
  resend: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: z.object({ id: z.string().max(64), receiptId: z.string().max(255) }),
    run: (context: WriteContext & { mail: MailOutbox }, { actor }: Admin, { id: accountId, receiptId }) =>
      resendReceipt(context, { accountId, receiptId, actor }),
    sentence: ({ email }) => `The receipt is being sent to ${email}.`,
  }),
};
