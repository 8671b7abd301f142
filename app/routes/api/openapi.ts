import { z } from 'zod';
import { PRODUCT_NAME } from '#shared/brand';
import { apiRegistry } from '~/http/api/api-registry.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { jsonTextAnswer } from '~/http/api/json-answer.server';
import { openApiDocument } from '~/http/api/openapi.server';
import { serverContext } from '~/http/server/context.server';

const MAX_AGE = 'public, max-age=300';

let made: { appUrl: string; text: string } | null = null;

/** The document as JSON text. It is made once: some hundred schemas go into it, and anyone may ask for it. */
function documentText(): string {
  const { appUrl } = serverContext().config;
  if (made?.appUrl !== appUrl) {
    const document = openApiDocument(apiRegistry, { title: `${PRODUCT_NAME} API`, appUrl });
    made = { appUrl, text: JSON.stringify(document) };
  }
  return made.text;
}

const api = endpoint('/api/openapi.json', {
  GET: call({
    summary: 'This document: every call, generated from its declaration',
    access: 'public',
    envelope: 'bare',
    answer: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
    run: () => jsonTextAnswer(documentText(), { status: 200, cacheControl: MAX_AGE }),
  }),
});

export const loader = api.loader;
export const action = api.action;
