import { z } from 'zod';
import { toPounds } from '#shared/money';
import { listPurchases } from '#shared/tokens/purchases';
import { readBalance } from '#shared/tokens/token-ledger';
import { tokenOperations } from '#shared/tokens/token-operations';
import { listTokenPackages } from '#shared/tokens/token-packages';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { poundsSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

/** The size of the list of purchases. */
const MAX_TRANSACTIONS = 100;

const tokenPackageSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    tokenCount: z.number().int(),
    price: poundsSchema,
  })
  .meta({ id: 'TokenPackage' });

const tokenPurchaseSchema = z
  .object({
    id: z.string(),
    packageName: z.string(),
    tokenCount: z.number().int(),
    amount: poundsSchema,
    status: z.enum(['pending', 'completed', 'failed']),
    createdAt: z.string(),
  })
  .meta({ id: 'TokenPurchase' });

const payments = endpoint(
  { name: 'payments', description: 'Token packages, purchases and the balance' },
  {
    'GET /api/payments/balance': call({
      id: 'readTokenBalance',
      summary: 'Reads the caller’s token balance',
      description: 'Below zero when tokens that were spent have been refunded or disputed.',
      access: 'member',
      response: z.object({ balance: z.number().int() }),
      example: { response: { balance: 50 } },
      run: async ({ caller }) => ({
        balance: await readBalance(serverContext().db, { accountId: caller.account.id }),
      }),
    }),

    'GET /api/payments/packages': call({
      id: 'listTokenPackages',
      summary: 'Lists the token packages that can be bought',
      description: 'The cheapest comes first.',
      access: 'member',
      response: z.object({ packages: z.array(tokenPackageSchema) }),
      example: {
        response: {
          packages: [
            {
              id: 'tokens-50',
              name: '50 Tokens',
              description: 'For the odd release.',
              tokenCount: 50,
              price: 4.99,
            },
          ],
        },
      },
      async run() {
        const packages = await listTokenPackages(serverContext().db);
        return {
          packages: packages.map(({ pricePence, ...rest }) => ({ ...rest, price: toPounds(pricePence) })),
        };
      },
    }),

    'POST /api/payments/create-payment-intent': operationCall(tokenOperations.startPurchase, {
      id: 'startTokenPurchase',
      summary: 'Starts the purchase of a token package',
      description:
        'The client secret is for Stripe.js, which confirms the payment. Repeated for the same package it continues the same purchase. The tokens are credited after Stripe has reported the payment.',
      body: tokenOperations.startPurchase.input,
      response: z.object({ clientSecret: z.string() }),
      failures: [404, 409, 502, 503],
      example: {
        body: { packageId: 'tokens-50' },
        response: { clientSecret: 'pi_3QexampleA1b2C3_secret_d4E5f6' },
      },
      reply: ({ result: { clientSecret } }) => ({ clientSecret }),
    }),

    'GET /api/payments/transactions': call({
      id: 'listTokenPurchases',
      summary: 'Lists the caller’s purchases of tokens',
      description: `The newest comes first; at most ${MAX_TRANSACTIONS}.`,
      access: 'member',
      response: z.object({ transactions: z.array(tokenPurchaseSchema) }),
      example: {
        response: {
          transactions: [
            {
              id: '4f8a1c7e-6b2d-4e95-a3f0-9d5c7b1e8a26',
              packageName: '50 Tokens',
              tokenCount: 50,
              amount: 4.99,
              status: 'completed',
              createdAt: '2026-11-20T10:15:00.000Z',
            },
          ],
        },
      },
      async run({ caller }) {
        const purchases = await listPurchases(serverContext().db, {
          accountId: caller.account.id,
          limit: MAX_TRANSACTIONS,
        });
        return {
          transactions: purchases.map(({ amountPence, ...rest }) => ({
            ...rest,
            amount: toPounds(amountPence),
          })),
        };
      },
    }),
  },
);

export const loader = payments;
export const action = payments;
