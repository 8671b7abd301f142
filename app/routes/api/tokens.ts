import { z } from 'zod';
import type { Consumption } from '#shared/tokens/consume-tokens';
import { listUsage, USAGE_LIMIT, type TokenUse } from '#shared/tokens/token-ledger';
import type { ProxyConfig } from '#shared/tokens/proxy-config.server';
import { tokenOperations } from '#shared/tokens/token-operations';
import { requireOwnRequest } from '~/http/auth/access.server';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { countParameter } from '~/http/api/input.server';
import { serverContext } from '~/http/server/context.server';

const usageSchema = z
  .object({
    id: z.string(),
    taskId: z.string(),
    tokens: z.number().int().describe('How many the task took: 1 or 2.'),
    createdAt: z.string(),
  })
  .meta({ id: 'TokenUse' }) satisfies z.ZodType<TokenUse>;

const proxyConfigSchema = z
  .object({
    taskId: z.string(),
    protocol: z.string().describe('http, https, socks4 or socks5.'),
    host: z.string(),
    port: z.number().int(),
    username: z.string().nullable(),
    password: z.string().nullable(),
  })
  .meta({ id: 'ProxyConfig' }) satisfies z.ZodType<ProxyConfig>;

const consumptionSchema = z.object({
  consumed: z.number().int().describe('The tokens that the task took: 1, or 2 with a managed proxy.'),
  balance: z.number().int().describe('The balance right after the task took them.'),
}) satisfies z.ZodType<Consumption>;

const TASK_ID = '7c1e9f2a-3d54-4b1c-8a60-5e2f0b9d7c18';

const tokens = endpoint(
  { name: 'tokens', description: 'Tokens and proxies of the desktop app' },
  {
    'GET /api/tokens/usage': call({
      id: 'listTokenUsage',
      summary: 'Lists the tasks that took tokens',
      description: 'The newest comes first.',
      access: 'member',
      query: z.object({
        limit: countParameter('limit', { max: USAGE_LIMIT.max, fallback: USAGE_LIMIT.default }),
      }),
      response: z.object({ usage: z.array(usageSchema) }),
      example: {
        response: {
          usage: [
            {
              id: 'b7f2c9d4-1e6a-4f83-9c05-2d8e7a4b6f10',
              taskId: TASK_ID,
              tokens: 2,
              createdAt: '2026-11-20T10:30:02.000Z',
            },
          ],
        },
      },
      async run({ caller, query }) {
        const { db } = serverContext();
        return { usage: await listUsage(db, { accountId: caller.account.id, limit: query.limit }) };
      },
    }),

    'GET /api/tokens/proxy-config': operationCall(tokenOperations.issueProxy, {
      id: 'readProxyConfig',
      summary: 'Issues the managed proxy of a task',
      description:
        'A task keeps the proxy that it was first given, and then takes 2 tokens instead of 1: ask before the task takes its tokens. `proxyConfig` is null when there are no managed proxies, and for a task that took its tokens without one. A new proxy needs a balance that covers it and the other open ones (402 `insufficient_tokens`), and at most six may be open at a time (409 `too_many_open_proxies`). A proxy is open until its task takes its tokens; after a day without it, the task has taken them.',
      query: tokenOperations.issueProxy.input,
      response: z.object({ proxyConfig: proxyConfigSchema.nullable() }),
      example: {
        response: {
          proxyConfig: {
            taskId: TASK_ID,
            protocol: 'http',
            host: 'proxy.packwatch.example',
            port: 8000,
            username: 'packwatch',
            password: 'a password',
          },
        },
      },
      failures: [402, 409],
      input({ query, request }) {
        requireOwnRequest(request);
        return query;
      },
      reply: ({ result }) => ({ proxyConfig: result }),
    }),

    'POST /api/tokens/consume': operationCall(tokenOperations.consume, {
      id: 'consumeTokens',
      summary: 'Takes the tokens of a task',
      description:
        'Takes 1 token, or 2 when a managed proxy was issued for the task. Repeated for the same task it takes nothing and returns the same answer, the balance of the first time included. Fails with 402 `insufficient_tokens` when the balance is too low; the same task may try again after a purchase.',
      body: tokenOperations.consume.input,
      response: consumptionSchema,
      failures: [402],
      example: { body: { taskId: TASK_ID }, response: { consumed: 1, balance: 49 } },
      reply: ({ result }) => result,
    }),
  },
);

export const loader = tokens;
export const action = tokens;
