import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Viewer } from '../accounts/account';
import type { Actor } from '../audit/write-audit';
import type { Clock } from '../clock';
import type { Schema } from '../database/schema';
import type { MailOutbox } from '../mail/mails';
import { operation } from '../operation';
import { approveBeta, revokeBeta } from './decide-beta';
import { requestBeta } from './request-beta';

interface Context {
  db: Kysely<Schema>;
  clock: Clock;
  mail: MailOutbox;
}

interface Admin {
  actor: Actor;
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
