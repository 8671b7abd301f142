import { z } from 'zod';
import { listApprovedUsers, listPendingUsers, readBetaStats } from '#shared/beta/read-beta';
import { betaOperations } from '#shared/beta/beta-operations';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { betaStatsSchema, betaUserExample, betaUserSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const usersResponse = z.object({ users: z.array(betaUserSchema) });
const userResponse = z.object({ user: betaUserSchema });

const approvedExample = { ...betaUserExample, approvedAt: '2026-11-03T12:00:00.000Z' };

const beta = endpoint(
  { name: 'beta', description: 'Beta access: requests and decisions' },
  {
    'GET /api/admin/beta/pending': call({
      id: 'listPendingBetaUsers',
      summary: 'Lists users who wait for beta access',
      description: 'The oldest request comes first.',
      access: 'admin',
      envelope: 'data',
      response: usersResponse,
      example: { response: { users: [betaUserExample] } },
      run: async () => ({ users: await listPendingUsers(serverContext().db) }),
    }),

    'GET /api/admin/beta/approved': call({
      id: 'listApprovedBetaUsers',
      summary: 'Lists users with beta access',
      description: 'The newest approval comes first.',
      access: 'admin',
      envelope: 'data',
      response: usersResponse,
      example: { response: { users: [approvedExample] } },
      run: async () => ({ users: await listApprovedUsers(serverContext().db) }),
    }),

    'GET /api/admin/beta/stats': call({
      id: 'readBetaStats',
      summary: 'Reads the statistics of beta access',
      description: 'Includes the requests of users whose access was revoked.',
      access: 'admin',
      envelope: 'data',
      response: betaStatsSchema,
      example: {
        response: {
          totalUsers: 40,
          pendingRequests: 3,
          approvedUsers: 12,
          totalRequests: 16,
          approvalRate: 75,
        },
      },
      run: () => readBetaStats(serverContext().db),
    }),

    'POST /api/admin/beta/approve/{id}': operationCall(betaOperations.approve, {
      id: 'approveBetaUser',
      summary: 'Approves a pending request for beta access',
      description: 'Refused with 409 when the user has no pending request.',
      params: betaOperations.approve.input,
      envelope: 'data',
      response: userResponse,
      reply: ({ result: user }) => ({ user }),
      failures: [409],
      example: { response: { user: approvedExample } },
    }),

    'POST /api/admin/beta/revoke/{id}': operationCall(betaOperations.revoke, {
      id: 'revokeBetaUser',
      summary: 'Revokes beta access',
      description: 'The user may request it again. Refused with 409 when the user has no beta access.',
      params: betaOperations.revoke.input,
      envelope: 'data',
      response: userResponse,
      reply: ({ result: user }) => ({ user }),
      failures: [409],
      example: { response: { user: { ...betaUserExample, requestedAt: null } } },
    }),
  },
);

export const loader = beta;
export const action = beta;
