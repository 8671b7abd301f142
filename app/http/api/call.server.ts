import { z } from 'zod';
import type { FileRule, StagedFile } from '#shared/storage/file-rule';
import type { Access, Callers, DecideAccess } from '../auth/access.server';
import type { LimitUse } from '../auth/rate-limits.server';
import { readJson } from '../forms/read-body.server';
import { readUpload } from '../forms/read-upload.server';
import { parseBody, parseFields, parseParams, parseQuery, requireFiles } from './input.server';
import { enveloped, envelopeSchema, jsonAnswer, Reply, type Envelope } from './response.server';

/** Largest JSON body, in bytes, unless a call sets another limit. */
export const JSON_LIMIT_BYTES = 256 * 1024;

type NoInput = z.ZodObject<Record<never, never>>;

interface CallInput<Level extends Access, Params, Query, Body, FileName extends string = never> {
  caller: Callers[Level];
  params: Params;
  query: Query;
  body: Body;
  /** The form's files by field. They are deleted when the call ends, unless `run` stored them. */
  files: Readonly<Record<FileName, StagedFile>>;
  request: Request;
}

interface CallDeclaration<
  Level extends Access,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Answer extends z.ZodType,
  FileName extends string,
> {
  /** Operation id in the OpenAPI document; generated clients name their functions after it. */
  id: string;
  summary: string;
  /** More than the summary says, for the OpenAPI document. */
  description: string;
  access: Level;
  /** Parts of the path. An invalid one is a 404. */
  params?: Params;
  /** Search parameters, as text; a schema may convert them. An invalid one is a 400. */
  query?: Query;
  /** JSON body. An invalid one is a 422 that names its fields; unknown keys are ignored. Without it no body is read. */
  body?: Body;
  bodyLimitBytes?: number;
  /**
   * The file fields of a form (multipart/form-data), one file each. `body` then describes the form's other fields, which
   * are text.
   */
  multipart?: Readonly<Record<FileName, FileRule>>;
  /** The payload. Keys that it does not name are removed. With a redirect's `status` it is `redirectAnswer`. */
  answer: Answer;
  /** Status of a success; 200 by default. */
  status?: number;
  /** Payloads of successes with another status, which `run` returns in a `Reply`. */
  otherAnswers?: Partial<Record<number, z.ZodType>>;
  /** Statuses of failures that `run` itself may cause, for the OpenAPI document. */
  failures?: readonly number[];
  /** A body and a payload as they may look, for the OpenAPI document. A payload without fields needs none. */
  example?: { body?: z.input<Body>; answer?: z.output<Answer> };
  /** Rate limits that one call uses; counted after the input was parsed. */
  limits?(
    input: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
  ): readonly LimitUse[];
  envelope?: Envelope;
  /** For public answers that may be cached; `no-store` by default. */
  cacheControl?: string;
  run(
    input: CallInput<Level, z.output<Params>, z.output<Query>, z.output<Body>, FileName>,
  ): Promise<z.input<Answer> | Reply | Response> | z.input<Answer> | Reply | Response;
}

/** What the OpenAPI document says about one call. */
export interface CallDescription {
  id: string;
  summary: string;
  description: string;
  access: Access;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodObject | undefined;
  /** The file fields of a form; `body` then describes its other fields. */
  files: readonly string[];
  status: number;
  /** The whole answer, envelope included; null for a redirect. */
  answer: z.ZodType | null;
  /** Other successes by status, envelope included. */
  otherAnswers: Partial<Record<number, z.ZodType>>;
  failures: readonly number[];
  /** Whether a rate limit applies. */
  limited: boolean;
  /** `answer`: envelope included. */
  example: { body: unknown; answer: unknown };
}

/** What calls use of the server; tests pass their own. */
export interface CallEdge {
  decide: DecideAccess;
  takeLimits(uses: readonly LimitUse[]): Promise<void>;
}

/** One method of one path. */
export interface Call {
  description: CallDescription;
  perform(edge: CallEdge, request: Request, params: Record<string, string | undefined>): Promise<Response>;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** The answer of a call that always redirects: `run` returns the whole Response. */
export const redirectAnswer = z.object({});

/** Declares one method of a path, for a table of `endpoint`. */
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
    example = {},
  } = declaration;
  const nothing = z.object({});
  const { params: paramsSchema = nothing, query: querySchema = nothing, body: bodySchema } = declaration;

  return {
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
      answer: isRedirect(status) ? null : envelopeSchema(envelope, answer),
      otherAnswers: Object.fromEntries(
        Object.entries(otherAnswers).flatMap(([other, schema]) =>
          schema === undefined ? [] : [[other, envelopeSchema(envelope, schema)]],
        ),
      ),
      failures: declaration.failures ?? [],
      limited: declaration.limits !== undefined,
      example: { body: example.body, answer: enveloped(envelope, example.answer ?? {}) },
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
