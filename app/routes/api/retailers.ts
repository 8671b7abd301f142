import { z } from 'zod';
import { listShops } from '#shared/monitor/products/list-shops';
import { productOperations } from '#shared/monitor/products/product-operations';
import { retailerChanges } from '#shared/monitor/products/retailers';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { messageSchema } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const count = z.number().optional();

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
            },
          ],
        },
      },
      async run() {
        return { retailers: await listShops(serverContext().db) };
      },
    }),

    'PUT /api/retailers/{host}': operationCall(productOperations.changeRetailer, {
      id: 'changeProductRetailer',
      summary: 'Changes the given fields of a retailer',
      description:
        'While the last check of its canary does not see it in stock, no alert of the retailer opens or closes, and the admins are told once.',
      params: productOperations.changeRetailer.input.pick({ host: true }),
      body: retailerChanges,
      response: messageSchema,
      example: {
        body: { canary: 'card-sleeves-tanglewood-cards' },
        response: { message: 'Tanglewood Cards is saved.' },
      },
    }),
  },
);

export const loader = retailers;
export const action = retailers;
