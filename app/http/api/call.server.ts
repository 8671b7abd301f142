import { z } from 'zod';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import type { Access, AnyOperation } from '#shared/operation';
import type { Callers, DecideAccess } from '../auth/access.server';
import { readJson } from '../forms/read-body.server';
import { readUpload, type UploadGuard } from '../forms/read-upload.server';
import { parseBody, parseFields, parseParams, parseQuery, requireFiles } from './input.server';
import { envelopeSchema, jsonResponse, Reply, wrapPayload, type Envelope } from './response.server';
import { DomainError, isRateLimit } from '#shared/errors';
import { performerOf, type Done, type Perform, type SiteOperation } from '../auth/run-operation.server';

/** The default limit of a JSON body. */
export const JSON_LIMIT_BYTES = 256 * 1024;

export type NoInput = z.ZodObject<Record<never, never>>;

interface CallInput<Level extends Access, Params, Query, Body, FileName extends string = never> {
  caller: Callers[Level];
  params: Params;
  query: Query;
  body: Body;
  /** The form's files by field. They are deleted after `run`, except those that it stored. */
  files: Readonly<Record<FileName, StagedFile>>;
  request: Request;
}

interface CallDeclaration<
  Level extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Payload extends z.ZodType,
  FileName extends string,
> {
  /** Operation id in the OpenAPI document; generated clients name their functions after it. */
  id: string;
  summary: string;
  /** Details for the OpenAPI document, which appends the access level. */
  description: string;
  access: Level;
  /** Path parameters. An invalid one is a 404. */
  params?: Params;
  /** Search parameters. They arrive as text; the schema may convert them. An invalid one is a 400. */
  query?: Query;
  /** JSON body. An invalid field is a 422 that names it; unknown keys are ignored. Without this schema no body is read. */
  body?: Body;
  bodyLimitBytes?: number;
  /** The file fields of a form (multipart/form-data), one file each. `body` then describes the form's text fields. */
  multipart?: Readonly<Record<FileName, FileRule>>;
  /** Follows the form of a request while it arrives. */
  guard?(input: { caller: Callers[Level]; request: Request }): UploadGuard;
  /** The media type of a body that `run` reads from the request itself, such as the bytes of a large file. */
  streamedBody?: string;
  /** The request headers that `run` reads, for the OpenAPI document. */
  requestHeaders?: z.ZodObject;
  /** The headers of a success for the OpenAPI document: a description of each. */
  responseHeaders?: Readonly<Record<string, string>>;
  /** The headers of every response of this call, refusals included. */
  fixedHeaders?: Readonly<Record<string, string>>;
  /**
   * The payload of a success, without the envelope. Undeclared keys are removed. For redirects: `redirectResponse`. For a
   * success without a body, or with `mediaTypes`: `emptyResponse`.
   */
  response: Payload;
  /** The media types of a success that is not JSON, such as a file. `run` then returns a Response. */
  mediaTypes?: readonly string[];
  /** Status of a success; 200 by default. */
  status?: number;
  /** Payloads by status of the other successes, which `run` returns in a `Reply`. */
  otherResponses?: Partial<Record<number, z.ZodType>>;
  /** Other non-failure statuses, with descriptions; `run` returns them as a Response. A 2xx one has `mediaTypes`. */
  otherStatuses?: Readonly<Record<number, string>>;
  /** Statuses of the failures that `run` may cause, for the OpenAPI document. */
  failures?: readonly number[];
  /**
   * An example body and payload for the OpenAPI document; for a redirect its `location`, for text responses the text. A
   * payload without fields needs none.
   */
  example?: { body?: z.input<Body>; response?: z.output<Payload>; location?: string; text?: string };
  envelope?: Envelope;
  /** `no-store` by default. */
  cacheControl?: string;
  run(
    input: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
  ): Promise<z.input<Payload> | Reply | Response> | z.input<Payload> | Reply | Response;
}

/** A call as the OpenAPI document describes it. */
export interface CallDescription {
  id: string;
  summary: string;
  description: string;
  access: Access;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodObject | undefined;
  /** The file fields of a form; `body` then describes its text fields. */
  files: readonly string[];
  status: number;
  streamedBody: string | undefined;
  requestHeaders: z.ZodObject | undefined;
  responseHeaders: Readonly<Record<string, string>>;
  /** The response body, with the envelope; null for a redirect, for a response without a body, and with `mediaTypes`. */
  response: z.ZodType | null;
  /** The media types of a body that is not JSON. */
  mediaTypes: readonly string[];
  /** Descriptions of the other non-failure statuses, with `mediaTypes` or without a body. */
  otherStatuses: Readonly<Record<number, string>>;
  /** The response bodies of the other successes by status, with the envelope. */
  otherResponses: Partial<Record<number, z.ZodType>>;
  failures: readonly number[];
  /** Whether it responds with 429. */
  limited: boolean;
  /** `response` includes the envelope. */
  example: { body: unknown; response: unknown; location: string | undefined; text: string | undefined };
}

/** One method of one path. `perform` throws refusals; `endpoint` turns them into responses. */
export interface Call {
  description: CallDescription;
  /** The headers of every response, refusals included. */
  fixedHeaders: Readonly<Record<string, string>>;
  /** The operation that it runs, for `operationCall` and `performingCall`. */
  operation?: AnyOperation;
  perform(
    decide: DecideAccess,
    request: Request,
    params: Record<string, string | undefined>,
  ): Promise<Response>;
}

/** The `response` of a call that only redirects: its `run` returns a Response. */
export const redirectResponse = z.object({});

/** The `response` of a call whose success has no JSON body: its `run` returns a Response. */
export const emptyResponse = z.object({});

/** Declares one method of a path, for `endpoint`. */
export function call<
  Level extends Access,
  Payload extends z.ZodType,
  Params extends z.ZodObject = NoInput,
  Query extends z.ZodObject = NoInput,
  Body extends z.ZodObject = NoInput,
  FileName extends string = never,
>(declaration: CallDeclaration<Level, Params, Query, Body, Payload, FileName>): Call {
  const {
    access,
    response: payloadSchema,
    envelope = 'fields',
    status = 200,
    cacheControl,
    bodyLimitBytes = JSON_LIMIT_BYTES,
    otherResponses = {},
    multipart,
    fixedHeaders = {},
    example = {},
  } = declaration;
  const noInput = z.object({});
  const { params: paramsSchema = noInput, query: querySchema = noInput, body: bodySchema } = declaration;

  const hasBody = !(status >= 300 && status < 400) && payloadSchema !== (emptyResponse as z.ZodType);

  return {
    fixedHeaders,
    description: {
      id: declaration.id,
      summary: declaration.summary,
      description: declaration.description,
      access,
      params: declaration.params,
      query: declaration.query,
      body: bodySchema,
      files: multipart === undefined ? [] : Object.keys(multipart),
      status,
      streamedBody: declaration.streamedBody,
      requestHeaders: declaration.requestHeaders,
      responseHeaders: declaration.responseHeaders ?? {},
      mediaTypes: declaration.mediaTypes ?? [],
      otherStatuses: declaration.otherStatuses ?? {},
      response: hasBody ? envelopeSchema(envelope, payloadSchema) : null,
      otherResponses: Object.fromEntries(
        Object.entries(otherResponses).flatMap(([other, schema]) =>
          schema === undefined ? [] : [[other, envelopeSchema(envelope, schema)]],
        ),
      ),
      failures: declaration.failures ?? [],
      limited: false,
      example: {
        body: example.body,
        response: wrapPayload(envelope, example.response ?? {}),
        location: example.location,
        text: example.text,
      },
    },
    async perform(decide, request, rawParams) {
      const caller = await decide(access, request);
      const params = parseParams(paramsSchema, rawParams);
      const query = parseQuery(querySchema, new URL(request.url).searchParams);

      const respond = async (body: unknown, files: Record<string, StagedFile>): Promise<Response> => {
        const input = {
          caller,
          params: params as z.output<Params>,
          query: query as z.output<Query>,
          body: body as z.output<Body>,
          files: files as Record<FileName, StagedFile>,
          request,
        };
        const result = await declaration.run(input);
        if (result instanceof Response) return result;
        const reply = result instanceof Reply ? result : new Reply(result);
        const schema =
          (reply.status === undefined ? undefined : otherResponses[reply.status]) ?? payloadSchema;
        return jsonResponse(wrapPayload(envelope, schema.parse(reply.payload)), {
          status: reply.status ?? status,
          cacheControl,
          headers: reply.headers,
        });
      };

      if (multipart !== undefined) {
        const guard = declaration.guard?.({ caller, request });
        return readUpload(request, { files: multipart, guard }, (upload) => {
          const files = requireFiles(multipart, upload);
          return respond(bodySchema === undefined ? {} : parseFields(bodySchema, upload.fields), files);
        });
      }
      if (bodySchema === undefined) return respond({}, {});
      return respond(parseBody(bodySchema, await readJson(request, bodyLimitBytes)), {});
    },
  };
}

/** Declares a protocol call that runs an operation itself, with `perform`. It has the operation's access and limits. */
export function performingCall<
  Level extends Access,
  Fields extends z.ZodObject,
  Result,
  Payload extends z.ZodType,
  Params extends z.ZodObject = NoInput,
  Query extends z.ZodObject = NoInput,
  Body extends z.ZodObject = NoInput,
  FileName extends string = never,
>(
  operation: SiteOperation<Level, Fields, Result>,
  {
    run,
    ...http
  }: Omit<CallDeclaration<Level, Params, Query, Body, Payload, FileName>, 'access' | 'run'> & {
    run(
      perform: Perform<Fields, Result>,
      received: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
    ): Promise<z.input<Payload> | Reply | Response>;
  },
): Call {
  const declared = call<Level, Payload, Params, Query, Body, FileName>({
    ...http,
    access: operation.access,
    run(received) {
      const caller: Callers[Access] = received.caller;
      const viewer = 'account' in caller ? caller : null;
      return run(performerOf(operation, { viewer, request: received.request }), received);
    },
  });
  // A call that redirects shows refusals on a page.
  const limited = operation.limits.length > 0 && http.status !== 302;
  return { ...declared, description: { ...declared.description, limited }, operation };
}

/** Converts a request to the operation's input, unless its parameters, query and body already match. */
type Conversion<Given, Input, Received> = Given extends Input
  ? { input?(received: Received): Input | Promise<Input> }
  : { input(received: Received): Input | Promise<Input> };

type Unsaid<Payload extends z.ZodType> = Omit<z.input<Payload>, 'message'>;

/** The HTTP-specific parts of an operation. */
type OperationHttp<
  Level extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Payload extends z.ZodType,
  FileName extends string,
  Input,
  Result,
  Received = CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
> = Omit<CallDeclaration<Level, Params, Query, Body, Payload, FileName>, 'access' | 'run'> &
  Conversion<z.output<Params> & z.output<Query> & z.output<Body>, Input, Received> & {
    /** Replaces the error of an expected refusal. Rate limits keep theirs. */
    refused?(error: DomainError): DomainError;
    /** The response without its success `message`. */
    reply?(
      done: Done<Result>,
      received: Received,
    ): Promise<Unsaid<Payload> | Reply> | Unsaid<Payload> | Reply;
  };

/** Declares an operation's API call, for `endpoint`. */
export function operationCall<
  Level extends Access,
  Fields extends z.ZodObject,
  Result,
  Payload extends z.ZodType,
  Params extends z.ZodObject = NoInput,
  Query extends z.ZodObject = NoInput,
  Body extends z.ZodObject = NoInput,
  FileName extends string = never,
>(
  operation: SiteOperation<Level, Fields, Result>,
  http: OperationHttp<Level, Params, Query, Body, Payload, FileName, z.output<Fields>, Result>,
): Call {
  const { input, refused, reply } = http;
  return performingCall<Level, Fields, Result, Payload, Params, Query, Body, FileName>(operation, {
    ...http,
    async run(perform, received) {
      const { params, query, body } = received;
      const given = input === undefined ? { ...params, ...query, ...body } : await input(received);
      const done = await perform(given as z.output<Fields>).catch((error: unknown) => {
        const isRefusal = error instanceof DomainError && !isRateLimit(error);
        throw refused !== undefined && isRefusal ? refused(error) : error;
      });
      const { message } = done;
      const replied = reply === undefined ? {} : await reply(done, received);
      if (!(replied instanceof Reply)) return { ...replied, message } as z.input<Payload>;
      const { payload, ...rest } = replied;
      return new Reply({ ...(payload as object), message }, rest);
    },
  });
}
