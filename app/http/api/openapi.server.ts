import { z } from 'zod';
import type { Access } from '#shared/operation';
import { sessionCookieName } from '../cookies/session-cookie.server';
import type { CallDescription } from './call.server';
import { API_METHODS, type ApiGroup } from './endpoint.server';
import { createJsonSchemas, type Json, type JsonSchemas } from './json-schemas.server';

/** The two ways to send a session; one is enough. */
const securitySchemes = (appUrl: string) => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName({ secure: appUrl.startsWith('https:') }),
    description: 'Set by signing in. Writes with it must come from our own pages (Origin or Sec-Fetch-Site).',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token in the response of a sign-in.' },
});

/** Who may make a call, by access level. It is appended to the description of the call. */
const ALLOWED: Record<Access, string> = {
  public: 'Open to everyone.',
  member: 'For signed-in users.',
  beta: 'For members with beta approval, and admins.',
  desktop: 'For members with beta approval and a tier other than free, and admins.',
  admin: 'For admins.',
};

/** Descriptions of the failures by status. */
const FAILURES: Record<number, string> = {
  400: 'The body or the query cannot be read.',
  401: 'The request has no session, or the session has ended.',
  402: 'The token balance is too low.',
  403: 'The user lacks access, or a write with a cookie did not come from our own pages.',
  404: 'The record does not exist.',
  405: 'The path does not support this method; `Allow` lists the supported ones.',
  408: 'The body took too long to arrive.',
  409: 'The current state of the record does not allow this.',
  412: 'A precondition in the headers does not hold.',
  413: 'The body is too large.',
  415: 'The call does not accept a body of this type, or a compressed one.',
  416: 'The file does not have this range.',
  422: 'A field is invalid; `errors` names it.',
  423: 'Another request is working on the upload.',
  429: 'Too many requests; `Retry-After` is the number of seconds to wait.',
  500: 'An error on our side. `X-Request-Id` names the request.',
  501: 'Not implemented yet.',
  502: 'An outside service refused or failed.',
  503: 'A part of the site is not available. `Retry-After`, when present, is the number of seconds to wait.',
};

const failureSchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe('A sentence for a person.'),
    code: z.string().describe('A stable snake_case code for programs.'),
    reason: z.string().optional().describe('What an outside service answered.'),
    errors: z.record(z.string(), z.array(z.string())).optional().describe('Sentences per invalid field.'),
  })
  .meta({
    id: 'Failure',
    examples: [{ success: false, message: 'Not authenticated', code: 'not_authenticated' }],
  });

/** The headers of the failures that have one which programs read. */
const FAILURE_HEADERS: Record<number, Json> = {
  405: { Allow: { required: true, schema: { type: 'string' } } },
  429: { 'Retry-After': { required: true, description: 'In seconds.', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' } } },
};

function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query' | 'header',
  { convert }: JsonSchemas,
): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = convert(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

function readsBody({
  body,
  files,
  streamedBody,
}: Pick<CallDescription, 'body' | 'files' | 'streamedBody'>): boolean {
  return body !== undefined || files.length > 0 || streamedBody !== undefined;
}

function failureStatuses({
  access,
  params,
  query,
  body,
  files,
  streamedBody,
  requestHeaders,
  limited,
  failures,
}: CallDescription): number[] {
  const reads = readsBody({ body, files, streamedBody });
  const statuses = [
    ...(query || requestHeaders || reads ? [400] : []),
    ...(access === 'public' ? [] : [401, 403]),
    ...(params ? [404] : []),
    405,
    ...(reads ? [408, 413, 415, 422] : []),
    ...(limited ? [429] : []),
    500,
    503, // the database may stay locked
    ...failures,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

function successResponse(body: z.ZodType | null, { convert }: JsonSchemas, example?: unknown): Json {
  if (body === null) return { description: 'Success, without a body' };
  const schema = convert(body, 'output');
  return {
    description: 'Success',
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  };
}

/** A body that is not JSON. Raw bytes have no JSON type (OpenAPI 3.1.1, "Working with Binary Data"). */
function contentOf(mediaTypes: readonly string[], example?: unknown): Json {
  return Object.fromEntries(
    mediaTypes.map((type) => [
      type,
      type.startsWith('text/')
        ? { schema: { type: 'string' }, ...(example !== undefined && { example }) }
        : {},
    ]),
  );
}

/** The headers of a redirect. `example`: an address. */
function redirectHeaders(example: string | undefined): Json {
  return {
    Location: { required: true, schema: { type: 'string' }, ...(example !== undefined && { example }) },
  };
}

/** The main success of a call. */
function mainResponse(
  { status, response, responseHeaders, mediaTypes, example }: CallDescription,
  schemas: JsonSchemas,
): Json {
  if (status >= 300) return { description: 'A redirect', headers: redirectHeaders(example.location) };
  const headers = Object.entries(responseHeaders).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    ...(mediaTypes.length > 0
      ? { description: 'Success', content: contentOf(mediaTypes, example.text) }
      : successResponse(response, schemas, example.response)),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
  };
}

/** The other non-failure statuses of a call, which are not JSON. */
function otherStatuses({ otherStatuses, mediaTypes, example }: CallDescription): Json {
  return Object.fromEntries(
    Object.entries(otherStatuses).map(([status, description]) => [
      status,
      {
        description,
        ...(Number(status) < 300 && { content: contentOf(mediaTypes, example.text) }),
        ...(status === '302' && { headers: redirectHeaders(example.location) }),
      },
    ]),
  );
}

/** A file in a form, as OpenAPI 3.0 (`format`) and 3.1 (`contentMediaType`): some generators know only the first. */
const FILE_SCHEMA = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' };

/** A JSON body, a form with text fields and files, or bytes. */
function requestBody(
  { body, files, streamedBody, example }: CallDescription,
  { convert }: JsonSchemas,
): Json {
  if (streamedBody !== undefined) return { required: true, content: { [streamedBody]: {} } };
  const fields = body === undefined ? {} : convert(body, 'input');
  if (files.length === 0)
    return { required: true, content: { 'application/json': { schema: fields, example: example.body } } };
  const schema = {
    type: 'object',
    properties: {
      ...(fields.properties as Json | undefined),
      ...Object.fromEntries(files.map((name) => [name, FILE_SCHEMA])),
    },
    required: [...((fields.required as string[] | undefined) ?? []), ...files],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function operation(description: CallDescription, tag: string, schemas: JsonSchemas): Json {
  const { id, summary, access } = description;
  const parameters = [
    ...parametersOf(description.params, 'path', schemas),
    ...parametersOf(description.query, 'query', schemas),
    ...parametersOf(description.requestHeaders, 'header', schemas),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description.description} ${ALLOWED[access]}`,
    security: access === 'public' ? [] : [{ session: [] }, { bearer: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(readsBody(description) && {
      requestBody: requestBody(description, schemas),
    }),
    responses: {
      [description.status]: mainResponse(description, schemas),
      ...Object.fromEntries(
        Object.entries(description.otherResponses).map(([other, schema]) => [
          other,
          successResponse(schema ?? null, schemas),
        ]),
      ),
      ...otherStatuses(description),
      ...Object.fromEntries(
        failureStatuses(description).map((failure) => [
          failure,
          { $ref: `#/components/responses/Failure${failure}` },
        ]),
      ),
    },
  };
}

/** The failure responses that these calls refer to. */
function failureResponses(calls: CallDescription[]): Json {
  const used = [...new Set(calls.flatMap(failureStatuses))].sort((a, b) => a - b);
  return Object.fromEntries(
    used.map((status) => [
      `Failure${status}`,
      {
        description: FAILURES[status],
        ...(status in FAILURE_HEADERS && { headers: FAILURE_HEADERS[status] }),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    ]),
  );
}

export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Json;
}

/** The OpenAPI 3.1 document of all groups. `appUrl` is the public base of the site. */
export function openApiDocument(
  groups: readonly ApiGroup[],
  { productName, appUrl }: { productName: string; appUrl: string },
): OpenApiDocument {
  const schemas = createJsonSchemas();
  schemas.convert(failureSchema, 'output');
  const paths = groups.flatMap(({ name, paths }) =>
    Object.entries(paths).map(([path, calls]) => ({
      path,
      calls: API_METHODS.flatMap((method) => {
        const description = calls[method]?.description;
        return description === undefined ? [] : [{ method, description, tag: name }];
      }),
    })),
  );
  const pathItem = (calls: (typeof paths)[number]['calls']): Json =>
    Object.fromEntries(
      calls.map(({ method, description, tag }) => [
        method.toLowerCase(),
        operation(description, tag, schemas),
      ]),
    );
  // Before `schemas.named`, which has the schemas that this converts.
  const items = Object.fromEntries(paths.map(({ path, calls }) => [path, pathItem(calls)]));
  return {
    openapi: '3.1.0',
    info: {
      title: `${productName} API`,
      version: '1',
      description: `The API of ${productName}. Every failure has the form of the schema \`Failure\`.`,
      contact: { name: productName, url: appUrl },
    },
    externalDocs: { description: 'A guide with examples', url: `${appUrl}/developers` },
    servers: [{ url: appUrl }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths: items,
    components: {
      securitySchemes: securitySchemes(appUrl),
      schemas: schemas.named(),
      responses: failureResponses(paths.flatMap(({ calls }) => calls.map(({ description }) => description))),
    },
  };
}
