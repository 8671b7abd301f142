import { z } from 'zod';
import { productChanges } from '#shared/monitor/products/change-product';
import { productOperations } from '#shared/monitor/products/product-operations';
import { operationCall } from '~/http/api/call.server';
import type { ApiCalls } from '~/http/api/endpoint.server';
import { messageSchema } from './schemas.server';

const params = productOperations.remove.input;

/** The calls by which admins change products. */
export const productAdminCalls: ApiCalls = {
  'PUT /api/products/{slug}': operationCall(productOperations.change, {
    id: 'changeProduct',
    summary: 'Changes the given fields of a product',
    description: 'Null removes a field. A GTIN is of one product.',
    params,
    body: productChanges,
    response: messageSchema,
    failures: [409],
    example: {
      body: { title: 'Ember Hollow chest', gtin: '5012345678900', listPrice: 54.99 },
      response: { message: 'Ember Hollow chest is saved.' },
    },
  }),

  'PUT /api/products/{slug}/retired': operationCall(productOperations.retire, {
    id: 'retireProduct',
    summary: 'Ends watching a product, or lets its watches be started again',
    description:
      'Its watches stop. Its page and its price history stay, and say that it is no longer watched. Members keep their follows, which count against no limit.',
    params,
    body: productOperations.retire.input.pick({ retired: true }),
    response: messageSchema,
    example: {
      body: { retired: true },
      response: { message: 'Ember Hollow chest is retired. Its watches are stopped.' },
    },
  }),

  'DELETE /api/products/{slug}': operationCall(productOperations.remove, {
    id: 'deleteProduct',
    summary: 'Deletes a product that no watch names',
    description: 'Members no longer follow it. Its price history is kept.',
    params,
    response: z.object({}),
    failures: [409],
  }),
};
