import type { z } from 'zod';
import { DomainError } from '#shared/errors';
import type { Access, Operation } from '#shared/operation';
import { runOperation, usesOf, type OperationCaller } from '../auth/run-operation.server';
import type { OperationContext } from '../server/context.server';
import { call, type Call, type CallDeclaration, type CallInput, type NoInput } from './call.server';
import type { Reply } from './response.server';

type Level = Exclude<Access, 'public'>;

/** How a request becomes the input of an operation, where its parameters, query and body are not the input. */
type Conversion<Given, Input, Received> = Given extends Input
  ? { input?(received: Received): Input | Promise<Input> }
  : { input(received: Received): Input | Promise<Input> };

/** What only HTTP needs of an operation. */
type OperationHttp<
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
    /** The error for an expected refusal, where its own does not fit. */
    refused?(error: DomainError): DomainError;
    /** The response; by default the message of the success, if the response has one. */
    reply?(
      done: { result: Result; message: string },
      received: Received,
    ): Promise<z.input<Payload> | Reply> | z.input<Payload> | Reply;
  };

/** Declares the API's face of an operation, for `endpoint`. */
export function operationCall<
  Fields extends z.ZodObject,
  Result,
  Payload extends z.ZodType,
  Params extends z.ZodObject = NoInput,
  Query extends z.ZodObject = NoInput,
  Body extends z.ZodObject = NoInput,
  FileName extends string = never,
>(
  operation: Operation<OperationContext, OperationCaller, Fields, Result>,
  http: OperationHttp<Params, Query, Body, Payload, FileName, z.output<Fields>, Result>,
): Call {
  const { access, limit } = operation;
  const { input, refused, reply } = http;
  const declared = call<Level, Payload, Params, Query, Body, FileName>({
    ...http,
    access,
    limits: limit === null ? undefined : ({ caller }) => usesOf(operation, caller),
    async run(received) {
      const { caller, params, query, body } = received;
      const given = input === undefined ? { ...params, ...query, ...body } : await input(received);
      const running = runOperation(operation, caller, given as z.output<Fields>);
      const done = await running.catch((error: unknown) => {
        throw refused !== undefined && error instanceof DomainError ? refused(error) : error;
      });
      return reply === undefined ? ({ message: done.message } as z.input<Payload>) : reply(done, received);
    },
  });
  return { ...declared, operation };
}
