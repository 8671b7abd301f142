import { z } from 'zod';
import { requireAccount } from '#shared/accounts/account';
import { emailField } from '#shared/accounts/account-fields';
import { managedAccountOperations } from '#shared/accounts/account-operations';
import { readManagedAccount } from '#shared/accounts/account-status.server';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { managedAccountExample, managedAccountSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const accountParams = z.object({ id: z.string().max(64) });
const accountResponse = z.object({ account: managedAccountSchema });
const changedResponse = z.object({ account: managedAccountSchema, message: z.string() });

function read(accountId: string) {
  const { db, clock } = serverContext();
  return readManagedAccount(db, { accountId, clock });
}

/** The response to a change of an account. */
async function changed({ message }: { message: string }, { params }: { params: { id: string } }) {
  return { account: await read(params.id), message };
}

const disabledExample = {
  ...managedAccountExample,
  disabledAt: '2026-11-20T10:30:00.000Z',
  sessions: 0,
};

const accounts = endpoint(
  { name: 'accounts', description: 'Accounts, for admins: sign out, disable and enable' },
  {
    'POST /api/admin/accounts/find': call({
      id: 'findAccount',
      summary: 'Finds an account by its address',
      description: 'The address is in the body, because logs keep URLs.',
      access: 'admin',
      body: z.object({ email: emailField }),
      envelope: 'data',
      response: accountResponse,
      failures: [404],
      example: {
        body: { email: managedAccountExample.email },
        response: { account: managedAccountExample },
      },
      async run({ body }) {
        const { id } = await requireAccount(serverContext().db, body.email);
        return { account: await read(id) };
      },
    }),

    'GET /api/admin/accounts/{id}': call({
      id: 'readAccount',
      summary: 'Reads an account',
      description: '`sessions` counts a browser once.',
      access: 'admin',
      params: accountParams,
      envelope: 'data',
      response: accountResponse,
      example: { response: { account: managedAccountExample } },
      run: async ({ params }) => ({ account: await read(params.id) }),
    }),

    'POST /api/admin/accounts/{id}/disable': operationCall(managedAccountOperations.disable, {
      id: 'disableAccount',
      summary: 'Disables an account',
      description:
        'Ends its sessions, refuses its sign-ins, sends it no alerts, and cancels the renewal of its subscription; `subscription` is `failed` when Stripe could not be asked, and it is tried again every minute. Refused with 409 for the caller’s own account and for the last admin.',
      params: accountParams,
      envelope: 'data',
      response: changedResponse.extend({ subscription: z.enum(['none', 'cancelled', 'failed']) }),
      failures: [409],
      example: {
        response: {
          account: disabledExample,
          message:
            'ash@packwatch.example is disabled: it cannot sign in, gets no alerts, and 2 sessions ended.',
          subscription: 'none',
        },
      },
      reply: async ({ result, message }, { params }) => ({
        account: await read(params.id),
        message,
        subscription: result.subscription.kind,
      }),
    }),

    'POST /api/admin/accounts/{id}/enable': operationCall(managedAccountOperations.enable, {
      id: 'enableAccount',
      summary: 'Enables a disabled account',
      description: 'It can sign in again. A cancelled subscription stays cancelled.',
      params: accountParams,
      envelope: 'data',
      response: changedResponse,
      example: {
        response: {
          account: managedAccountExample,
          message:
            'ash@packwatch.example can sign in again. A subscription that was cancelled stays cancelled; the member can reactivate it before it ends.',
        },
      },
      reply: changed,
    }),

    'POST /api/admin/accounts/{id}/sign-out': operationCall(managedAccountOperations.signOut, {
      id: 'signOutAccount',
      summary: 'Ends all sessions of an account',
      description: 'It may sign in again.',
      params: accountParams,
      envelope: 'data',
      response: changedResponse,
      example: {
        response: {
          account: { ...managedAccountExample, sessions: 0 },
          message: 'ash@packwatch.example is signed out everywhere: 2 sessions ended.',
        },
      },
      reply: changed,
    }),
  },
);

export const loader = accounts;
export const action = accounts;
