import { z } from 'zod';
import { PRODUCT_NAME } from '#shared/brand';
import { call } from '~/http/api/call.server';
import { endpoint, type ApiHandler } from '~/http/api/endpoint.server';
import { openApiDocument } from '~/http/api/openapi.server';
import { jsonTextResponse } from '~/http/api/response.server';
import { serverContext } from '~/http/server/context.server';
import { loader as auth } from './auth';
import { loader as beta } from './beta';
import { loader as downloads } from './downloads';
import { loader as monitor } from './monitor';
import { loader as news } from './news';
import { loader as payments } from './payments';
import { loader as push } from './push';
import { loader as settings } from './settings';
import { loader as stripeWebhook } from './stripe-webhook';
import { loader as subscriptions } from './subscriptions';
import { loader as tokens } from './tokens';
import { loader as watches } from './watches';

const CACHE_CONTROL = 'public, max-age=300';

/**
 * The group for all other paths below /api, so also for unknown ones. This is a function because the document lists its
 * own call: Remix cannot remove constants that refer to each other from the client build.
 */
function createApi(): ApiHandler {
  let cached: { appUrl: string; text: string } | null = null;

  /** The document as JSON text. It is public and slow to generate, so it is cached. */
  function documentText(): string {
    const { appUrl } = serverContext().config;
    if (cached?.appUrl !== appUrl) {
      const groups = [
        auth,
        news,
        settings,
        monitor,
        watches,
        beta,
        subscriptions,
        payments,
        tokens,
        downloads,
        push,
        stripeWebhook,
        handler,
      ].map(({ group }) => group);
      const document = openApiDocument(groups, { productName: PRODUCT_NAME, appUrl });
      cached = { appUrl, text: JSON.stringify(document) };
    }
    return cached.text;
  }

  const handler = endpoint(
    { name: 'api', description: 'The description of the API' },
    {
      '/api/openapi.json': {
        GET: call({
          id: 'readOpenApiDocument',
          summary: 'Reads this document',
          description: 'It is generated from the declarations of the calls.',
          access: 'public',
          envelope: 'bare',
          response: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
          example: { response: { openapi: '3.1.0', paths: {} } },
          run: () => jsonTextResponse(documentText(), { status: 200, cacheControl: CACHE_CONTROL }),
        }),
      },
    },
  );
  return handler;
}

const api = createApi();
export const loader = api;
export const action = api;
