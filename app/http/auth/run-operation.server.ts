import type { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import type { Actor } from '#shared/audit/write-audit';
import { DomainError } from '#shared/errors';
import { parseInput, type Access, type Client, type Operation } from '#shared/operation';
import { wideNetworkOf } from '../server/client-network.server';
import { operationContext, serverContext, type OperationContext } from '../server/context.server';
import { clientUse, type LimitUse } from '../server/rate-limits.server';
import { clientAddress } from '../server/request-context.server';
import { requireLevel } from './access.server';
import { readEarlierSignIns } from './earlier-sign-ins.server';
import { logSignIn } from './sign-in-log.server';
import { actorOf } from './session.server';

/** The signed-in user of an operation. */
export interface OperationCaller extends Viewer, Client {
  /** For the audit log. */
  actor: Actor;
}

/** An operation for the API and the pages. */
export type SiteOperation<Level extends Access, Fields extends z.ZodObject, Result> = Operation<
  Level,
  OperationContext,
  OperationCaller,
  Fields,
  Result
>;

/** The user and the request of an operation. */
export interface OperationRequest {
  /** Null: not signed in. */
  viewer: Viewer | null;
  request: Request;
}

/** Counts a use of each limit. Throws `RateLimited` at the first one that is exceeded. */
async function takeLimits<Fields extends z.ZodObject>(
  { limits }: Pick<SiteOperation<Access, Fields, never>, 'limits'>,
  account: string,
  input: z.output<Fields>,
): Promise<LimitUse[]> {
  const uses: LimitUse[] = [];
  for (const { name, by = 'account', of = () => '', refused } of limits) {
    const key = of(input);
    if (key === null) continue;
    const use =
      by === 'network' ? clientUse(name, key) : { limit: name, key: by === 'account' ? account + key : key };
    await serverContext()
      .limits.take([use])
      .catch((error: unknown) => {
        throw refused !== undefined && error instanceof DomainError ? refused(error) : error;
      });
    uses.push(use);
  }
  return uses;
}

/** The result of an operation and its sentence. */
export interface Done<Result> {
  result: Result;
  message: string;
}

/** Runs the operation of a call or a form. */
export type Perform<Fields extends z.ZodObject, Result> = (input: z.output<Fields>) => Promise<Done<Result>>;

/** Runs this operation. */
export type PerformOf<Of> =
  Of extends Operation<Access, never, never, infer Fields, infer Result> ? Perform<Fields, Result> : never;

/**
 * Runs operations for the user of a request: access, input, limits, run. Throws as these do. Logs the outcome of
 * sign-ins.
 */
export function performerOf<Fields extends z.ZodObject, Result>(
  operation: SiteOperation<Access, Fields, Result>,
  { viewer, request }: OperationRequest,
): Perform<Fields, Result> {
  return async (given) => {
    const { access, refundsSuccess = false, signIn } = operation;
    requireLevel(access, viewer);
    const input = parseInput(operation, given);
    const client: Client = {
      network: wideNetworkOf(clientAddress()),
      userAgent: request.headers.get('User-Agent'),
      earlierSignIns: await readEarlierSignIns(request),
    };
    // Without a viewer the operation is public and only needs the client.
    const caller = { ...viewer, ...(viewer !== null && { actor: actorOf(viewer) }), ...client };
    const attempt = async () => {
      const uses = await takeLimits(operation, viewer?.account.id ?? '', input);
      const result = await operation.run(operationContext(), caller as OperationCaller, input);
      if (refundsSuccess) await serverContext().limits.refund(uses);
      return result;
    };
    const result =
      signIn === undefined
        ? await attempt()
        : await logSignIn({ ...signIn, email: signIn.emailOf?.(input) }, attempt);
    return { result, message: operation.sentence(result, input) };
  };
}
