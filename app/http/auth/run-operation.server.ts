import type { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import type { Actor } from '#shared/audit/write-audit';
import type { AnyOperation, Operation } from '#shared/operation';
import { wideNetworkOf } from '../server/client-network.server';
import { operationContext, serverContext, type OperationContext } from '../server/context.server';
import { clientUse, type LimitUse } from '../server/rate-limits.server';
import { clientAddress } from '../server/request-context.server';
import { actorOf } from './write-of.server';

/** The signed-in user of an operation. */
export interface OperationCaller extends Viewer {
  /** For the audit log. */
  actor: Actor;
  /** As `wideNetworkOf` returns it. */
  network: string;
}

/** The uses of rate limits that an operation counts. */
export function usesOf({ limit }: Pick<AnyOperation, 'limit'>, { account }: Viewer): LimitUse[] {
  if (limit === null) return [];
  return [limit.by === 'network' ? clientUse(limit.name) : { limit: limit.name, key: account.id }];
}

/**
 * Runs an operation for a user whose access was checked and whose use was counted. Throws as the operation does.
 */
export async function runOperation<Fields extends z.ZodObject, Result>(
  operation: Operation<OperationContext, OperationCaller, Fields, Result>,
  viewer: Viewer,
  input: z.output<Fields>,
): Promise<{ result: Result; message: string }> {
  const caller = { ...viewer, actor: actorOf(viewer), network: wideNetworkOf(clientAddress()) };
  const result = await operation.run(operationContext(), caller, input);
  if (operation.limit?.refundsSuccess === true)
    await serverContext().limits.refund(usesOf(operation, viewer));
  return { result, message: operation.sentence(result, input) };
}
