import { z } from 'zod';
import type { Access } from './access.server';
import { API_METHODS, type ApiRegistry, type CallDescription } from './api-registry.server';

type Json = Record<string, unknown>;

/** Which credentials open which door. */
const SECURITY: Record<Access, Json[]> = { public: [] };

/** Failures every call may answer with, beside those its parts bring. */
const FAILURES: Record<number, string> = {
  400: 'The JSON or the query cannot be read.',
  404: 'There is no such record.',
  405: 'The path does not have this method; `Allow` lists those it has.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'A field is wrong; `errors` names it.',
  500: 'A fault on our side. `X-Request-Id` names the request.',
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

function failureStatuses({ params, query, body }: CallDescription): number[] {
  return [
    ...(query || body ? [400] : []),
    ...(params ? [404] : []),
    405,
    ...(body ? [413, 415, 422] : []),
    500,
  ];
}

function operation(description: CallDescription): Json {
  const parameters = [
    ...parametersOf(description.params, 'path'),
    ...parametersOf(description.query, 'query'),
  ];
  return {
    summary: description.summary,
    security: SECURITY[description.access],
    ...(parameters.length > 0 && { parameters }),
    ...(description.body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(description.body, 'input') } },
      },
    }),
    responses: {
      [description.status]: {
        description: 'Success',
        content: { 'application/json': { schema: jsonSchema(description.answer, 'output') } },
      },
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
