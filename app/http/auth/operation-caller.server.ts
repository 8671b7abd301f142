import type { Viewer } from '#shared/accounts/account';
import type { Actor } from '#shared/audit/write-audit';
import type { AnyOperation } from '#shared/operation';
import type { LimitUse } from '../server/rate-limits.server';
import { actorOf } from './write-of.server';

/** The signed-in user of an operation; `actor` is for the audit log. */
export interface OperationCaller extends Viewer {
  actor: Actor;
}

export function callerOf(viewer: Viewer): OperationCaller {
  return { ...viewer, actor: actorOf(viewer) };
}

/** The rate limit that an operation counts. */
export function usesOf({ limit }: Pick<AnyOperation, 'limit'>, { account }: Viewer): LimitUse[] {
  return limit === null ? [] : [{ limit, key: account.id }];
}
