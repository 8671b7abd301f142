import { z } from 'zod';
import { DomainError } from '#shared/errors';
import { DELIVERY_STATES } from '#shared/alerts/deliveries/delivery-state';
import { readTestResults } from '#shared/member-alerts/read-test-results';
import { testOperations } from '#shared/member-alerts/test-operations';
import { ensurePushKeys, UNREADABLE_PUSH_KEYS } from '#shared/channels/push/push-keys.server';
import { pushOperations } from '#shared/push/push-operations';
import { listPushSubscriptions } from '#shared/push/push-subscriptions';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';
import { MEMBER_CHANNELS } from '#shared/member-channels';

const deviceSchema = z
  .object({
    id: z.string(),
    userAgent: z.string().nullable(),
    createdAt: z.string(),
  })
  .meta({ id: 'PushSubscription' });

const DEVICE = {
  id: '4f0f6a3e-52f8-4a0c-9b1d-7d3a1c2e9f60',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  createdAt: '2026-11-20T10:30:02.000Z',
};

const push = endpoint(
  { name: 'push', description: 'Web push: alerts as notifications on devices' },
  {
    'GET /api/push/key': call({
      id: 'readPushKey',
      summary: 'Reads the public key for subscribing',
      description: 'The `applicationServerKey` of `PushManager.subscribe()`, base64url (RFC 8292).',
      access: 'member',
      response: z.object({ publicKey: z.string() }),
      failures: [503],
      example: {
        response: {
          publicKey:
            'BDd3_hVL9fZi9Ybo2UUzA284WG5FZR30_95YeZJsiApwXKpNcF1rRPF3foIiBHXRdJI2Qhumhf6_LFTeZaNndIo',
        },
      },
      async run() {
        const { db, keyring, clock } = serverContext();
        const keys = await ensurePushKeys(db, keyring, clock);
        if (keys === null)
          throw new DomainError('Unavailable', {
            code: 'push_unavailable',
            message: 'We cannot send notifications right now. Please try again later.',
            cause: new Error(UNREADABLE_PUSH_KEYS),
          });
        return { publicKey: keys.publicKey };
      },
    }),

    'GET /api/push/subscriptions': call({
      id: 'listPushSubscriptions',
      summary: 'Lists your devices with notifications',
      description: 'The newest comes first.',
      access: 'member',
      response: z.object({ subscriptions: z.array(deviceSchema) }),
      example: { response: { subscriptions: [DEVICE] } },
      async run({ caller }) {
        const { db } = serverContext();
        const devices = await listPushSubscriptions(db, { userId: caller.account.id });
        return { subscriptions: devices.filter(({ endedAt }) => endedAt === null) };
      },
    }),

    'POST /api/push/subscriptions': operationCall(pushOperations.add, {
      id: 'addPushSubscription',
      summary: 'Adds a device: the subscription of its browser',
      description:
        'Takes `PushSubscription.toJSON()`. The same endpoint again keeps its id. Alerts arrive once your preferences ask for notifications. Refused with 409 beyond 20 devices.',
      body: pushOperations.add.input,
      response: z.object({ id: z.string() }),
      status: 201,
      failures: [409],
      example: {
        body: {
          endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/example',
          keys: {
            p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
            auth: 'tBHItJI5svbpez7KI4CCXg',
          },
        },
        response: { id: DEVICE.id },
      },
      reply: ({ result }) => result,
    }),

    'DELETE /api/push/subscriptions/{id}': operationCall(pushOperations.remove, {
      id: 'removePushSubscription',
      summary: 'Removes a device',
      description: 'It receives no more notifications.',
      params: pushOperations.remove.input,
      response: z.object({}),
    }),

    'GET /api/push/test': call({
      id: 'readAlertTest',
      summary: 'Reads how your newest test went',
      description:
        'One result per address and device. A notification is sent or has failed within about a minute; it is tried once. `test` is null without one.',
      access: 'member',
      response: z.object({
        test: z
          .object({
            requestedAt: z.string(),
            results: z.array(
              z.object({
                channel: z.enum(MEMBER_CHANNELS),
                userAgent: z.string().nullable(),
                state: z.enum(DELIVERY_STATES),
                reason: z.string().nullable(),
              }),
            ),
          })
          .nullable(),
      }),
      example: {
        response: {
          test: {
            requestedAt: '2026-11-20T10:31:00.000Z',
            results: [{ channel: 'push', userAgent: DEVICE.userAgent, state: 'sent', reason: null }],
          },
        },
      },
      async run({ caller }) {
        return { test: await readTestResults(serverContext().db, { userId: caller.account.id }) };
      },
    }),

    'POST /api/push/test': operationCall(testOperations.send, {
      id: 'sendTestAlerts',
      summary: 'Sends a test to your own devices and address',
      description:
        'As your preferences say. Responds with how many messages wait to be sent; `GET` says what became of them. Refused with 422 when alerts are switched off.',
      response: z.object({ sent: z.object({ email: z.int(), push: z.int() }) }),
      reply: ({ result }) => result,
      failures: [422, 503],
      example: { response: { sent: { email: 1, push: 2 } } },
    }),
  },
);

export const loader = push;
export const action = push;
