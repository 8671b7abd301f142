import { z } from 'zod';
import type { Viewer } from '../accounts/account';
import type { WriteContext } from '../database/transaction';
import type { MailOutbox } from '../mail/mails';
import { operation, type Admin } from '../operation';
import { approveBeta, revokeBeta, requestBeta } from './beta-access';

interface Context extends WriteContext {
  mail: MailOutbox;
}

const input = z.object({ id: z.string().max(64) });

export const betaOperations = {
  request: operation({
    access: 'member',
    limit: 'accountWrite',
    run: ({ db, clock }: Context, { account }: Viewer) => requestBeta(db, { accountId: account.id, clock }),
  }),
  approve: operation({
    access: 'admin',
    input,
    run: ({ db, clock, mail }: Context, { actor }: Admin, { id }) =>
      approveBeta(db, { accountId: id, actor, clock, mail }),
    sentence: 'User approved.',
  }),
  revoke: operation({
    access: 'admin',
    input,
    run: ({ db, clock }: Context, { actor }: Admin, { id }) =>
      revokeBeta(db, { accountId: id, actor, clock }),
    sentence: 'Beta access revoked.',
  }),
};
