import { z } from 'zod';
import { PRODUCT_NAME } from '#shared/brand';
import { apiRegistry } from '~/http/api-registry.server';
import { call, endpoint } from '~/http/endpoint.server';
import { openApiDocument } from '~/http/openapi.server';
import { serverContext } from '~/http/server-context.server';

const api = endpoint('/api/openapi.json', {
  GET: call({
    summary: 'This document: every call, generated from its declaration',
    access: 'public',
    envelope: 'bare',
    cacheControl: 'public, max-age=300',
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    run: () =>
      openApiDocument(apiRegistry, {
        title: `${PRODUCT_NAME} API`,
        appUrl: serverContext().config.appUrl,
      }),
  }),
});

export const loader = api.loader;
export const action = api.action;
