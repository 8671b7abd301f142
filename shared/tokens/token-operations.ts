import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';
import type { Payer, PaymentsContext } from '../payments/payments-context';
import { consumeTokens, taskIdField } from './consume-tokens';
import { describeGrant, grantFields, grantTokens } from './grant-tokens';
import { startTokenCheckout, startTokenPurchase } from './buy-tokens.server';
import { issueProxy, type ProxyContext } from './proxy-config.server';

interface Context {
  payments: PaymentsContext;
}

interface Member {
  account: Payer;
}

interface Desktop {
  account: { id: string };
}

const task = z.object({ taskId: taskIdField });

const packageId = z.string().min(1).max(100).describe('The id of a package that can be bought.');

export const tokenOperations = {
  startPurchase: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ packageId }),
    run: ({ payments }: Context, { account }: Member, input) =>
      startTokenPurchase(payments, { account, ...input }),
  }),
  startCheckout: operation({
    access: 'beta',
    limit: 'payment',
    input: z.object({ packageId, returnTo: z.string() }),
    run: ({ payments }: Context, { account }: Member, input) =>
      startTokenCheckout(payments, { account, ...input }),
  }),
  consume: operation({
    access: 'desktop',
    limit: 'consume',
    input: task,
    run: ({ db, clock }: WriteContext, { account }: Desktop, { taskId }) =>
      consumeTokens(db, { accountId: account.id, taskId, clock }),
  }),
  /** Issues the managed proxy of a task, or returns the one that it has. */
  issueProxy: operation({
    access: 'desktop',
    limit: 'proxyConfig',
    input: task,
    run: (context: ProxyContext, { account }: Desktop, { taskId }) =>
      issueProxy(context, { accountId: account.id, taskId }),
  }),
  grant: operation({
    access: 'admin',
    limit: 'accountWrite',
    input: grantFields.extend({ id: z.string().max(64) }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id: accountId, ...grant }) =>
      grantTokens(db, { accountId, ...grant, actor, clock }),
    sentence: describeGrant,
  }),
};
