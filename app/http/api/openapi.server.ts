import { z } from 'zod';
import type { Access } from '../auth/access.server';
import { sessionCookieName } from '../cookies/session-cookie.server';
import { API_METHODS, type ApiRegistry, type CallDescription } from './api-registry.server';

type Json = Record<string, unknown>;

/** The two ways to show a session; either will do. */
const securitySchemes = (appUrl: string) => ({
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookieName({ secure: appUrl.startsWith('https:') }),
    description: 'Set by signing in. Writes must then come from our own pages (Origin or Sec-Fetch-Site).',
  },
  bearer: { type: 'http', scheme: 'bearer', description: 'The token that signing in answers with.' },
});

const SIGNED_IN: Json[] = [{ session: [] }, { bearer: [] }];

/** Which credentials open which door. */
const SECURITY: Record<Access, Json[]> = {
  public: [],
  member: SIGNED_IN,
  beta: SIGNED_IN,
  desktop: SIGNED_IN,
  admin: SIGNED_IN,
};

const WHO_MAY: Record<Access, string> = {
  public: 'Anyone.',
  member: 'Anyone signed in.',
  beta: 'Members with beta approval, and admins.',
  desktop: 'Members with beta approval and a tier other than free, and admins.',
  admin: 'Admins.',
};

/** Failures every call may answer with, beside those its parts bring. */
const FAILURES: Record<number, string> = {
  400: 'The body or the query cannot be read.',
  401: 'No session was shown, or one that is over.',
  403: 'Known, but not allowed; or a write by cookie that did not come from our own pages.',
  404: 'There is no such record.',
  405: 'The path does not have this method; `Allow` lists those it has.',
  408: 'The body took too long to arrive.',
  409: 'It is so already, or it cannot be in this state.',
  413: 'The body is too large.',
  415: 'The body is of another kind than the call takes.',
  422: 'A field is wrong; `errors` names it.',
  429: 'Too often; `Retry-After` says how many seconds to wait.',
  500: 'A fault on our side. `X-Request-Id` names the request.',
  501: 'Not built yet.',
  502: 'An outside service refused or failed.',
  503: 'A part of ours is away. `Retry-After`, where it is there, says how many seconds to wait.',
};

const failureSchema = z.object({
  success: z.literal(false),
  message: z.string().describe('A sentence for a person.'),
  code: z.string().describe('A stable snake_case name for programs.'),
  errors: z.record(z.string(), z.array(z.string())).optional().describe('Sentences per field at fault.'),
});

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const json: Json = z.toJSONSchema(schema, { io });
  delete json.$schema;
  return json;
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: property,
  }));
}

function failureStatuses({
  access,
  params,
  query,
  body,
  files,
  limited,
  failures,
}: CallDescription): number[] {
  const reads = body !== undefined || files.length > 0;
  const statuses = [
    ...(query || reads ? [400] : []),
    ...(access === 'public' ? [] : [401, 403]),
    ...(params ? [404] : []),
    405,
    ...(reads ? [408, 413, 415, 422] : []),
    ...(limited ? [429] : []),
    500,
    // The database may stay locked.
    503,
    ...failures,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

function success(answer: z.ZodType | null): Json {
  if (answer === null) {
    return {
      description: 'Leads elsewhere',
      headers: { Location: { required: true, schema: { type: 'string' } } },
    };
  }
  return {
    description: 'Success',
    content: { 'application/json': { schema: jsonSchema(answer, 'output') } },
  };
}

/** A JSON body, or a form: its fields are text, its files bytes. */
function requestBody({ body, files }: CallDescription): Json {
  const fields = body === undefined ? {} : jsonSchema(body, 'input');
  if (files.length === 0) return { required: true, content: { 'application/json': { schema: fields } } };
  const schema = {
    type: 'object',
    properties: {
      ...(fields.properties as Json | undefined),
      ...Object.fromEntries(
        files.map((name) => [name, { type: 'string', contentMediaType: 'application/octet-stream' }]),
      ),
    },
    required: [...((fields.required as string[] | undefined) ?? []), ...files],
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function operation(description: CallDescription): Json {
  const parameters = [
    ...parametersOf(description.params, 'path'),
    ...parametersOf(description.query, 'query'),
  ];
  return {
    summary: description.summary,
    description: WHO_MAY[description.access],
    security: SECURITY[description.access],
    ...(parameters.length > 0 && { parameters }),
    ...((description.body !== undefined || description.files.length > 0) && {
      requestBody: requestBody(description),
    }),
    responses: {
      [description.status]: success(description.answer),
      ...Object.fromEntries(
        Object.entries(description.otherAnswers).map(([status, answer]) => [status, success(answer ?? null)]),
      ),
      ...Object.fromEntries(
        failureStatuses(description).map((status) => [
          status,
          { $ref: `#/components/responses/Failure${status}` },
        ]),
      ),
    },
  };
}

export interface OpenApiDocument extends Json {
  openapi: string;
  paths: Json;
}

/** The OpenAPI 3.1 document of everything in the registry. `appUrl` is the public base of the site. */
export function openApiDocument(
  registry: ApiRegistry,
  { title, appUrl }: { title: string; appUrl: string },
): OpenApiDocument {
  const paths = [...registry].sort(([a], [b]) => a.localeCompare(b));
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    servers: [{ url: appUrl }],
    paths: Object.fromEntries(
      paths.map(([path, calls]) => [
        path,
        Object.fromEntries(
          API_METHODS.flatMap((method) => {
            const description = calls[method];
            return description === undefined ? [] : [[method.toLowerCase(), operation(description)]];
          }),
        ),
      ]),
    ),
    components: {
      securitySchemes: securitySchemes(appUrl),
      schemas: { Failure: jsonSchema(failureSchema, 'output') },
      responses: Object.fromEntries(
        Object.entries(FAILURES).map(([status, description]) => [
          `Failure${status}`,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        ]),
      ),
    },
  };
}
