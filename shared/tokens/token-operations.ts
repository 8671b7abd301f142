import { z } from 'zod';
import { operation } from '../operation';
import type { Payer, PaymentsContext } from '../payments/payments-context';
import { startTokenCheckout, startTokenPurchase } from './buy-tokens.server';

interface Context {
  payments: PaymentsContext;
}

interface Member {
  account: Payer;
}

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
};
