import { z } from 'zod';
import { PRODUCT_NAME } from '#shared/brand';
import { call } from '~/http/api/call.server';
import { endpoint, type ApiHandler } from '~/http/api/endpoint.server';
import { openApiDocument, type OpenApiDocument } from '~/http/api/openapi.server';
import { jsonTextResponse } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';
import { loader as accounts } from './accounts';
import { loader as auth } from './auth';
import { loader as beta } from './beta';
import { loader as downloads } from './downloads';
import { loader as monitor } from './monitor';
import { loader as news } from './news';
import { loader as payments } from './payments';
import { loader as products } from './products';
import { loader as push } from './push';
import { loader as retailers } from './retailers';
import { loader as settings } from './settings';
import { loader as stripeWebhook } from './stripe-webhook';
import { loader as subscriptions } from './subscriptions';
import { loader as tokens } from './tokens';
import { loader as watches } from './watches';

const CACHE_CONTROL = 'public, max-age=300';

/** The document and its text, for one APP_URL. It is public and slow to generate, so it is cached. */
let cached: { appUrl: string; document: OpenApiDocument; text: string } | null = null;

function readCached() {
  const { appUrl } = serverContext().config;
  if (cached?.appUrl !== appUrl) {
    const groups = [
      auth,
      news,
      settings,
      monitor,
      watches,
      products,
      retailers,
      beta,
      accounts,
      subscriptions,
      payments,
      tokens,
      push,
      downloads,
      stripeWebhook,
      api,
    ].map(({ group }) => group);
    const document = openApiDocument(groups, { productName: PRODUCT_NAME, appUrl });
    cached = { appUrl, document, text: JSON.stringify(document) };
  }
  return cached;
}

/** The OpenAPI document of the API. */
export const readDocument = (): OpenApiDocument => readCached().document;

/** The group for all other paths below /api, so also for unknown ones. */
export const api: ApiHandler = endpoint(
  { name: 'api', description: 'The description of the API' },
  {
    'GET /api/openapi.json': call({
      id: 'readOpenApiDocument',
      summary: 'Reads this document',
      description: 'It is generated from the declarations of the calls.',
      access: 'public',
      envelope: 'bare',
      response: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
      example: { response: { openapi: '3.1.0', paths: {} } },
      run: () => jsonTextResponse(readCached().text, { status: 200, cacheControl: CACHE_CONTROL }),
    }),
  },
);
