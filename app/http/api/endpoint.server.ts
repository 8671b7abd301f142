import type { ActionFunctionArgs, LoaderFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import { isBusy } from '#shared/database/database-errors';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import { decideAccess, type Access, type Callers, type DecideAccess } from '../auth/access.server';
import {
  API_METHODS,
  apiRegistry,
  type ApiMethod,
  type ApiRegistry,
  type CallDescription,
} from './api-registry.server';
import { bugFailure, busyFailure, failureOf, HttpRefusal } from '../failures.server';
import { parseBody, parseFields, parseParams, parseQuery, requireFiles } from './input.server';
import { envelopeSchema, enveloped, type Envelope } from './envelope.server';
import { failureAnswer, jsonAnswer } from './json-answer.server';
import { readJson } from '../forms/read-body.server';
import { readUpload } from '../forms/read-upload.server';
import type { LimitUse } from '../auth/rate-limits.server';
import { Reply } from './reply.server';
import { currentRequest, currentRequestId } from '../server/request-context.server';
import { serverContext } from '../server/context.server';

/** Largest JSON body, in bytes, unless a call says otherwise. */
export const JSON_LIMIT_BYTES = 256 * 1024;

type NoInput = z.ZodObject<Record<never, never>>;

export interface CallInput<Level extends Access, Params, Query, Body, FileName extends string = never> {
  caller: Callers[Level];
  params: Params;
  query: Query;
  body: Body;
  /** The form's files, by their fields. They are gone when the call has ended, unless it took them. */
  files: Readonly<Record<FileName, StagedFile>>;
  request: Request;
}

export interface CallDeclaration<
  Level extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType,
  FileName extends string,
> {
  summary: string;
  access: Level;
  /** Parts of the path. One that cannot be right names nothing: 404. */
  params?: Params;
  /** Search parameters, as text; a schema turns them into numbers. A fault is a 400. */
  query?: Query;
  /** JSON body. A fault is a 422 that names its fields; unknown keys are ignored. Without it no body is read. */
  body?: Body;
  bodyLimitBytes?: number;
  /**
   * The file fields of a form (multipart/form-data), each of which must hold one file. `body` then are the form's other
   * fields, which are text.
   */
  multipart?: Readonly<Record<FileName, FileRule>>;
  /** The payload. What it does not name never leaves the server. With a redirect's `status` it is `redirectAnswer`. */
  answer: Answer;
  /** Status of a success; 200 unless said. */
  status?: number;
  /** Payloads of successes with another status, which `run` gives by a `Reply`. */
  otherAnswers?: Partial<Record<number, z.ZodType>>;
  /** Failures of its own that it may answer with, for the document. */
  failures?: readonly number[];
  /** What one call uses up; counted once the input is known to be readable. */
  limits?(
    input: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
  ): readonly LimitUse[];
  envelope?: Envelope;
  /** For public calls whose answer may be kept; `no-store` unless said. */
  cacheControl?: string;
  run(
    input: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
  ): Promise<z.input<Answer> | Reply | Response> | z.input<Answer> | Reply | Response;
}

/** One method of one path, its schemas sealed in. */
export interface Call {
  description: CallDescription;
  perform(edge: CallEdge, request: Request, params: Record<string, string | undefined>): Promise<Response>;
}

interface CallEdge {
  decide: DecideAccess;
  takeLimits(uses: readonly LimitUse[]): Promise<void>;
}

/** What `endpoint` stands on; tests hand in their own. */
export interface EndpointEdge extends CallEdge {
  registry: ApiRegistry;
  log(): Pick<Logger, 'warn' | 'error'>;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The answer of a call that only ever redirects: `run` makes the whole Response. */
export const redirectAnswer = z.object({});

/** Declares one method of a path; `endpoint` puts it on the road. */
export function call<
  Level extends Access,
  Answer extends z.ZodType,
  Params extends z.ZodObject = NoInput,
  Query extends z.ZodObject = NoInput,
  Body extends z.ZodObject = NoInput,
  FileName extends string = never,
>(declaration: CallDeclaration<Level, Params, Query, Body, Answer, FileName>): Call {
  const {
    access,
    answer,
    envelope = 'fields',
    status = 200,
    cacheControl,
    bodyLimitBytes = JSON_LIMIT_BYTES,
    otherAnswers = {},
    multipart,
  } = declaration;
  const nothing = z.object({});
  const { params: paramsSchema = nothing, query: querySchema = nothing, body: bodySchema } = declaration;

  return {
    description: {
      summary: declaration.summary,
      access,
      params: declaration.params,
      query: declaration.query,
      body: bodySchema,
      files: multipart === undefined ? [] : Object.keys(multipart),
      status,
      answer: isRedirect(status) ? null : envelopeSchema(envelope, answer),
      otherAnswers: Object.fromEntries(
        Object.entries(otherAnswers).flatMap(([other, schema]) =>
          schema === undefined ? [] : [[other, envelopeSchema(envelope, schema)]],
        ),
      ),
      failures: declaration.failures ?? [],
      limited: declaration.limits !== undefined,
    },
    async perform({ decide, takeLimits }, request, rawParams) {
      const caller = await decide(access, request);
      const params = parseParams(paramsSchema, rawParams);
      const query = parseQuery(querySchema, new URL(request.url).searchParams);

      const answerTo = async (body: unknown, files: Record<string, StagedFile>): Promise<Response> => {
        const input = {
          caller,
          params: params as z.output<Params>,
          query: query as z.output<Query>,
          body: body as z.output<Body>,
          files: files as Record<FileName, StagedFile>,
          request,
        };
        if (declaration.limits !== undefined) await takeLimits(declaration.limits(input));
        const result = await declaration.run(input);
        if (result instanceof Response) return result;
        const reply = result instanceof Reply ? result : new Reply(result);
        const schema = (reply.status === undefined ? undefined : otherAnswers[reply.status]) ?? answer;
        return jsonAnswer(enveloped(envelope, schema.parse(reply.payload)), {
          status: reply.status ?? status,
          cacheControl,
          headers: reply.headers,
        });
      };

      if (multipart !== undefined) {
        return readUpload(request, { files: multipart }, (upload) => {
          const files = requireFiles(multipart, upload);
          return answerTo(bodySchema === undefined ? {} : parseFields(bodySchema, upload.fields), files);
        });
      }
      if (bodySchema === undefined) return answerTo({}, {});
      return answerTo(parseBody(bodySchema, await readJson(request, bodyLimitBytes)), {});
    },
  };
}

const liveEdge: EndpointEdge = {
  decide: decideAccess,
  takeLimits: (uses) => serverContext().limits.take(uses),
  registry: apiRegistry,
  log: () => serverContext().log,
};

export type EndpointCalls = Partial<Record<ApiMethod, Call>>;

/**
 * Turns the declared calls of one path into a resource route's `loader` and `action`, and writes them into
 * the registry that the OpenAPI document is made from. `path` is its template, such as `/api/news/{id}`.
 * Everything is answered in JSON: refusals, methods the path does not have, and bugs (logged, without detail).
 */
export function endpoint(path: string, calls: EndpointCalls, edge: EndpointEdge = liveEdge) {
  edge.registry.set(
    path,
    Object.fromEntries(Object.entries(calls).map(([method, { description }]) => [method, description])),
  );
  const methods = API_METHODS.filter((method) => calls[method] !== undefined);
  const allow = [
    ...methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
    'OPTIONS',
  ].join(', ');

  async function answer({ request, params }: LoaderFunctionArgs | ActionFunctionArgs): Promise<Response> {
    try {
      const method = currentRequest()?.method ?? request.method;
      if (method === 'OPTIONS')
        return new Response(null, { status: 204, headers: { Allow: allow, 'Cache-Control': 'no-store' } });
      const found = calls[(method === 'HEAD' ? 'GET' : method) as ApiMethod];
      if (found === undefined) {
        throw new HttpRefusal({
          status: 405,
          code: 'method_not_allowed',
          message: `${method} is not possible here. Use one of: ${allow}.`,
          headers: { Allow: allow },
        });
      }
      return await found.perform(edge, request, params);
    } catch (error) {
      if (error instanceof Response) return error;
      return answerFailure(error, edge);
    }
  }

  return { loader: answer, action: answer };
}

function answerFailure(error: unknown, edge: EndpointEdge): Response {
  const failure = failureOf(error);
  if (failure !== null) {
    if (error instanceof DomainError) edge.log().warn({ refusal: error.code, err: error.cause }, 'refused');
    return failureAnswer(failure);
  }
  if (isBusy(error)) {
    edge.log().warn({ err: error }, 'the database stayed locked');
    return failureAnswer(busyFailure());
  }
  edge.log().error({ err: error }, 'a call failed');
  return failureAnswer(bugFailure(currentRequestId()));
}
