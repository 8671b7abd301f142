import { z } from 'zod';
import { heroSlidesSchema } from '#shared/settings/setting-fields';
import {
  isNewsEnabled,
  listRetailers,
  readHeroSlides,
  readTrackingSets,
} from '#shared/settings/read-settings';
import {
  retailerOperations,
  settingOperations,
  trackingOperations,
} from '#shared/settings/setting-operations';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { publicTrackingSets } from '#shared/settings/tracking-sets';
import { call, operationCall } from '~/http/api/call.server';
import { endpoint } from '~/http/api/endpoint.server';
import { trackingSetsResponse, trackingSetsExample } from './calls/schemas.server';
import { serverContext } from '~/http/server/context.server';

const retailersResponse = z.object({ retailers: z.array(z.string()) });
const retailersExample = { retailers: ['Argos', 'Smyths Toys'] };

const heroSlidesExample = {
  newsSlideEnabled: true,
  discordSlideEnabled: true,
  checkoutSlideEnabled: true,
  trackingSetsEnabled: false,
};

const settings = endpoint(
  { name: 'settings', description: 'Settings of the site' },
  {
    'GET /api/settings/public/news-enabled': call({
      id: 'readNewsEnabled',
      summary: 'Reads whether the News section is shown',
      description: 'The news calls work in either case.',
      access: 'public',
      envelope: 'data',
      response: z.object({ enabled: z.boolean() }),
      example: { response: { enabled: true } },
      run: async () => ({ enabled: await isNewsEnabled(serverContext().db) }),
    }),

    'GET /api/settings/public/retailers': call({
      id: 'listRetailers',
      summary: 'Lists the supported retailers',
      description: 'In the order of the landing page.',
      access: 'public',
      envelope: 'data',
      response: retailersResponse,
      example: { response: retailersExample },
      run: async () => ({ retailers: await listRetailers(serverContext().db) }),
    }),

    'GET /api/settings/public/tracking-sets': call({
      id: 'readPublicTrackingSets',
      summary: 'Lists the enabled tracking sets',
      description: 'They are sorted by `order`.',
      access: 'public',
      envelope: 'data',
      response: trackingSetsResponse,
      example: { response: trackingSetsExample },
      run: async () => publicTrackingSets(await readTrackingSets(serverContext().db)),
    }),

    'GET /api/settings/public/hero-slides': call({
      id: 'readPublicHeroSlides',
      summary: 'Reads which slides the landing page shows',
      description: 'The slides of the tracking sets also depend on `enabled` of the tracking sets.',
      access: 'public',
      envelope: 'data',
      response: heroSlidesSchema,
      example: { response: heroSlidesExample },
      run: () => readHeroSlides(serverContext().db),
    }),

    'PUT /api/settings/retailers': operationCall(retailerOperations.replace, {
      id: 'setRetailers',
      summary: 'Replaces the list of supported retailers',
      description: 'Names are trimmed; a repeated name is refused.',
      body: retailerOperations.replace.input,
      envelope: 'data',
      response: retailersResponse,
      example: { body: retailersExample, response: retailersExample },
      reply: ({ result: retailers }) => ({ retailers }),
    }),

    'GET /api/settings/tracking-sets': call({
      id: 'readTrackingSets',
      summary: 'Lists the tracking sets',
      description: 'Includes disabled ones. They are sorted by `order`.',
      access: 'admin',
      envelope: 'data',
      response: trackingSetsResponse,
      example: { response: trackingSetsExample },
      run: () => readTrackingSets(serverContext().db),
    }),

    'PUT /api/settings/tracking-sets': operationCall(trackingOperations.replace, {
      id: 'setTrackingSets',
      summary: 'Replaces the tracking sets',
      description: 'The server renumbers `order` from 1.',
      body: trackingOperations.replace.input,
      envelope: 'data',
      response: trackingSetsResponse,
      example: { body: { config: trackingSetsExample }, response: trackingSetsExample },
      reply: ({ result }) => result,
    }),

    'POST /api/settings/tracking-sets/upload': operationCall(trackingOperations.uploadImage, {
      id: 'uploadTrackingImage',
      summary: 'Uploads an image for a tracking set',
      description: 'An image that no saved set uses is deleted later.',
      multipart: { image: TRACKING_IMAGE_FILE },
      envelope: 'data',
      status: 201,
      response: z.object({ imageUrl: z.string() }),
      example: { response: { imageUrl: '/uploads/c81d5e3a-4f7b-4a92-b6e0-7d3f1c9a2b58/image.webp' } },
      input: ({ files }) => ({ file: files.image }),
      reply: ({ result }) => result,
    }),

    'GET /api/settings/hero-slides': call({
      id: 'readHeroSlides',
      summary: 'Reads which slides the landing page shows',
      description: 'The response is that of the public call.',
      access: 'admin',
      envelope: 'data',
      response: heroSlidesSchema,
      example: { response: heroSlidesExample },
      run: () => readHeroSlides(serverContext().db),
    }),

    'PUT /api/settings/hero-slides': operationCall(settingOperations.changeHeroSlides, {
      id: 'setHeroSlides',
      summary: 'Sets which slides the landing page shows',
      description: 'All four switches are set together.',
      body: z.object({ config: heroSlidesSchema }),
      envelope: 'data',
      response: heroSlidesSchema,
      example: { body: { config: heroSlidesExample }, response: heroSlidesExample },
      input: ({ body }) => body.config,
      reply: ({ result }) => result,
    }),

    'PUT /api/settings/{key}': operationCall(settingOperations.write, {
      id: 'writeSetting',
      summary: 'Stores a setting under its key',
      description: 'Refused with 409 for settings that have their own call.',
      params: z.object({ key: z.string() }),
      body: z.object({ value: z.string(), description: z.string().optional() }),
      failures: [409],
      envelope: 'data',
      response: z.object({ key: z.string(), value: z.string(), description: z.string().nullable() }),
      example: {
        body: { value: 'true' },
        response: { key: 'news_section_enabled', value: 'true', description: null },
      },
      reply: ({ result }) => result,
    }),
  },
);

export const loader = settings;
export const action = settings;
