import { z } from 'zod';
import { webhookOperations } from '#shared/alerts/webhooks/webhook-operations';
import { listRetailerWebhooks, RETAILER_AUDIENCES } from '#shared/alerts/webhooks/webhooks';
import { listShops } from '#shared/monitor/products/list-shops';
import { productOperations } from '#shared/monitor/products/product-operations';
import { PRODUCT_SOURCES } from '#shared/monitor/checks/verdict';
import { requireRetailer, retailerChanges } from '#shared/monitor/products/retailers';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { messageSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const count = z.number().optional();
const audience = z.enum(RETAILER_AUDIENCES).default('instant');
const params = productOperations.changeRetailer.input.pick({ host: true });
const maskedWebhook = z.string().nullable().describe('Masked; null when none is set.');

/** The input of an operation on a webhook of a retailer. */
async function ofRetailer<Query, Body>(received: { params: { host: string }; query: Query; body: Body }) {
  const { id } = await requireRetailer(serverContext().db, received.params.host);
  return { retailerId: id, ...received.query, ...received.body };
}

const retailerSchema = z
  .object({
    host: z.string(),
    name: z.string(),
    supported: z.boolean(),
    watches: z.number(),
    states: z
      .object({
        in_stock: count,
        limited: count,
        preorder: count,
        out_of_stock: count,
        unknown: count,
      })
      .describe('How many of its watches settled on which availability; `unknown` before the first check.'),
    canary: z.string().nullable().describe('The title of its watch whose offer is always in stock.'),
    isHeld: z.boolean().describe('Its canary is not seen in stock, so its verdicts are held back.'),
    load: z
      .object({
        products: z.number().describe('Its running watches.'),
        everySeconds: z.number().describe('How often each is checked on average.'),
        pausedUntil: z.string().nullable().describe('While its host is left alone.'),
      })
      .nullable()
      .describe('What its host bears. Null while none of its watches runs.'),
    distrusted: z
      .array(
        z.object({
          source: z.enum(PRODUCT_SOURCES),
          agreed: z.number().describe('The changes at which it had said what followed.'),
          changes: z.number(),
        }),
      )
      .describe('The sources of its pages that open no alert alone, because they were wrong too often.'),
    roles: z
      .object({ instant: z.string().nullable(), free: z.string().nullable() })
      .describe('The Discord roles that alerts of its products ping; null: those of the settings.'),
  })
  .meta({ id: 'Retailer' });

const retailers = endpoint(
  { name: 'retailers', description: 'The shops whose products are watched' },
  {
    'GET /api/retailers': call({
      id: 'listProductRetailers',
      summary: 'Lists the retailers',
      description: 'By name.',
      access: 'admin',
      response: z.object({ retailers: z.array(retailerSchema) }),
      example: {
        response: {
          retailers: [
            {
              host: 'shop.example',
              name: 'Tanglewood Cards',
              supported: true,
              watches: 4,
              states: { in_stock: 3, out_of_stock: 1 },
              canary: 'Card sleeves @ Tanglewood Cards',
              isHeld: false,
              load: { products: 4, everySeconds: 120, pausedUntil: null },
              distrusted: [{ source: 'structured_data', agreed: 9, changes: 14 }],
              roles: { instant: '803511102246789121', free: null },
            },
          ],
        },
      },
      async run() {
        return { retailers: await listShops(serverContext().db, serverContext().clock.now()) };
      },
    }),

    'PUT /api/retailers/{host}': operationCall(productOperations.changeRetailer, {
      id: 'changeProductRetailer',
      summary: 'Changes the given fields of a retailer',
      description:
        'While the last check of its canary does not see it in stock, no alert of the retailer opens or closes, and the admins are told once.',
      params,
      body: retailerChanges,
      response: messageSchema,
      example: {
        body: { canary: 'card-sleeves-tanglewood-cards' },
        response: { message: 'Tanglewood Cards is saved.' },
      },
    }),

    'GET /api/retailers/{host}/webhooks': call({
      id: 'listRetailerWebhooks',
      summary: 'Lists the webhooks of a retailer',
      description:
        'Alerts of its products use them, unless their watch has a webhook. Without one the webhook of the first watch is used.',
      access: 'admin',
      params,
      envelope: 'data',
      response: z.object({ instant: maskedWebhook, free: maskedWebhook }),
      example: { response: { instant: 'https://discord.com/api/webhooks/8035…/••••a1b2', free: null } },
      async run({ params: { host } }) {
        const { db, keyring } = serverContext();
        const [instant, free] = await listRetailerWebhooks(
          { db, keyring },
          (await requireRetailer(db, host)).id,
        );
        return { instant: instant?.webhook ?? null, free: free?.webhook ?? null };
      },
    }),

    'PUT /api/retailers/{host}/webhook': operationCall(webhookOperations.set, {
      id: 'setRetailerWebhook',
      summary: 'Sets the webhook of an audience of a retailer',
      description: 'Saves it after Discord has confirmed that it exists.',
      params,
      body: z.object({ webhook_url: z.string(), audience }),
      input: ofRetailer,
      response: messageSchema,
      failures: [502],
      example: {
        body: { webhook_url: 'https://discord.com/api/webhooks/80351110224678912/token', audience: 'free' },
        response: { message: 'Webhook URL updated successfully!' },
      },
    }),

    'DELETE /api/retailers/{host}/webhook': operationCall(webhookOperations.remove, {
      id: 'deleteRetailerWebhook',
      summary: 'Removes the webhook of an audience of a retailer',
      description: 'The response is the same when none is set.',
      params,
      query: z.object({ audience }),
      input: ofRetailer,
      response: messageSchema,
      example: { response: { message: 'Webhook removed.' } },
    }),

    'POST /api/retailers/{host}/webhook/test': operationCall(webhookOperations.test, {
      id: 'sendRetailerTestAlert',
      summary: 'Posts a test message to the webhook of an audience of a retailer',
      description: 'Fails with 404 when none is set, and with 502 when Discord refuses the message.',
      params,
      body: z.object({ audience }),
      input: ofRetailer,
      response: messageSchema,
      failures: [502],
      example: { body: { audience: 'instant' }, response: { message: 'Test alert sent successfully!' } },
    }),
  },
);

export const loader = retailers;
export const action = retailers;
