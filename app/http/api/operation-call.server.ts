import type { z } from 'zod';
import { DomainError } from '#shared/errors';
import type { Access } from '#shared/operation';
import type { Callers } from '../auth/access.server';
import { runOperation, type SiteOperation } from '../auth/run-operation.server';
import { call, type Call, type CallDeclaration, type CallInput, type NoInput } from './call.server';
import type { Reply } from './response.server';

/** How a request becomes the input of an operation, where its parameters, query and body are not the input. */
type Conversion<Given, Input, Received> = Given extends Input
  ? { input?(received: Received): Input | Promise<Input> }
  : { input(received: Received): Input | Promise<Input> };

/** What only HTTP needs of an operation. */
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
> = Omit<CallDeclaration<Level, Params, Query, Body, Payload, FileName>, 'access' | 'limits' | 'run'> &
  Conversion<z.output<Params> & z.output<Query> & z.output<Body>, Input, Received> & {
    /** The error for an expected refusal, where its own does not fit. A rate limit keeps its own. */
    refused?(error: DomainError): DomainError;
    /** The response; by default the message of the success, if the response has one. */
    reply?(
      done: { result: Result; message: string },
      received: Received,
    ): Promise<z.input<Payload> | Reply> | z.input<Payload> | Reply;
  };

/** Declares the API's face of an operation, for `endpoint`. */
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
  const declared = call<Level, Payload, Params, Query, Body, FileName>({
    ...http,
    access: operation.access,
    async run(received) {
      const { params, query, body, request } = received;
      const caller: Callers[Access] = received.caller;
      const viewer = 'account' in caller ? caller : null;
      const given = input === undefined ? { ...params, ...query, ...body } : await input(received);
      const running = runOperation(operation, { viewer, request }, given as z.output<Fields>);
      const done = await running.catch((error: unknown) => {
        const isRefusal = error instanceof DomainError && error.kind !== 'RateLimited';
        throw refused !== undefined && isRefusal ? refused(error) : error;
      });
      return reply === undefined ? ({ message: done.message } as z.input<Payload>) : reply(done, received);
    },
  });
  const description = { ...declared.description, limited: operation.limits.length > 0 };
  return { ...declared, description, operation };
}
