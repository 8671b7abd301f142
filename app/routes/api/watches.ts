import { z } from 'zod';
import type { SavedWatch } from '#shared/monitor/watches/add-watch.server';
import { describeWatch, listDescribedWatches } from '#shared/monitor/watches/describe-watch';
import { productOperations, requirePreview } from '#shared/monitor/products/product-operations';
import { newWatchFields } from '#shared/monitor/watches/watch-fields';
import { watchChanges, watchOperations } from '#shared/monitor/watches/watch-operations';
import { requireWatch } from '#shared/monitor/watches/watches';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { Reply } from '~/http/api/response.server';
import { previewExample, previewSchema } from './calls/preview-schema.server';
import { watchExample, watchSchema } from './calls/schemas.server';
import { serverContext, operationContext } from '~/http/server/context.server';
import { monitorCalls } from './calls/monitor-calls.server';

const path = '/api/watches/{slug}';
const params = watchOperations.remove.input;

const savedSchema = z.object({
  watch: watchSchema,
  pageFault: z
    .string()
    .optional()
    .describe('Why the page cannot be read now, as a sentence. Missing when it can.'),
});

/** What adding and changing answer. */
async function describeSaved(saved: SavedWatch): Promise<z.output<typeof savedSchema>> {
  const watch = await describeWatch(operationContext(), saved);
  return { watch, ...(saved.pageFault === null ? {} : { pageFault: saved.pageFault }) };
}

const { shop, title, url } = watchExample;
const fieldsExample = { shop, title, url };

const watches = endpoint(
  { name: 'watches', description: 'The watches: one page of a shop each' },
  {
    'GET /api/watches': call({
      id: 'listWatches',
      summary: 'Lists the watches',
      description: 'In the order of their slugs.',
      access: 'admin',
      envelope: 'data',
      response: z.object({ watches: z.array(watchSchema) }),
      example: { response: { watches: [watchExample] } },
      async run() {
        return { watches: await listDescribedWatches(operationContext()) };
      },
    }),

    'POST /api/watches': operationCall(watchOperations.add, {
      id: 'addWatch',
      summary: 'Adds a watch',
      description:
        'It is stopped. The page must be public. If it cannot be read now, `pageFault` says why. A watch of `kind` `product` needs a `url`, and for a new product a `title`. At most 200 waiting rooms and 1,000 products are possible.',
      body: newWatchFields,
      envelope: 'data',
      response: savedSchema,
      status: 201,
      failures: [404, 409],
      example: { body: fieldsExample, response: { watch: watchExample } },
      reply: ({ result }) => describeSaved(result),
    }),

    'POST /api/watches/preview': operationCall(productOperations.preview, {
      id: 'previewWatch',
      summary: 'Looks at the page of a product',
      description:
        'The daemon fetches and judges the page as a check does. No watch is added and nothing is sent; what it saw is kept for an hour. Returns 202 with an empty `seen` when it takes longer than some seconds: read it again by its id.',
      body: productOperations.preview.input,
      envelope: 'data',
      response: previewSchema,
      otherResponses: { 202: previewSchema },
      failures: [503],
      example: { body: { url: previewExample.url }, response: previewExample },
      reply: ({ result }) => (result.seen === null ? new Reply(result, { status: 202 }) : result),
    }),

    'GET /api/watches/preview/{id}': call({
      id: 'readPreview',
      summary: 'Reads what the daemon saw of a page',
      description: '`seen` is null while it has not looked yet.',
      access: 'admin',
      params: z.object({ id: z.string().max(100) }),
      envelope: 'data',
      response: previewSchema,
      example: { response: previewExample },
      run: ({ params: { id } }) => requirePreview(serverContext(), id),
    }),

    [`GET ${path}`]: call({
      id: 'readWatch',
      summary: 'Reads a watch',
      description: 'Its state in detail is below /status.',
      access: 'admin',
      params,
      envelope: 'data',
      response: z.object({ watch: watchSchema }),
      example: { response: { watch: watchExample } },
      async run({ params: { slug } }) {
        const watch = await requireWatch(serverContext().db, slug);
        return { watch: await describeWatch(operationContext(), watch) };
      },
    }),

    [`PUT ${path}`]: operationCall(watchOperations.change, {
      id: 'changeWatch',
      summary: 'Changes the given fields of a watch',
      description:
        'Its slug stays. A new page must be public, and it must answer now unless the watch is stopped; the alert of the old one ends.',
      params,
      body: watchChanges,
      envelope: 'data',
      response: savedSchema,
      example: { body: { title }, response: { watch: watchExample } },
      reply: ({ result }) => describeSaved(result),
    }),

    [`DELETE ${path}`]: operationCall(watchOperations.remove, {
      id: 'deleteWatch',
      summary: 'Deletes a watch',
      description: 'Ends its alert, whose messages are edited. The first watch cannot be deleted.',
      params,
      response: z.object({}),
      failures: [409],
    }),

    ...monitorCalls({
      path,
      params,
      idOf: (name) => `${name}OfWatch`,
      watchIdOf: async ({ slug }) => (await requireWatch(serverContext().db, slug)).id,
    }),
  },
);

export const loader = watches;
export const action = watches;
