import type { Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import type { Keyring } from '#shared/secrets.server';
import { serverContext } from '~/http/server/context.server';
import { failureOf } from '~/http/server/failures.server';

/** The token of a mailed link. */
const tokenOf = (request: Request): string => new URL(request.url).searchParams.get('token') ?? '';

/** The address of the page of a mailed link that a form of it came from. */
export const linkAddress =
  (path: string) =>
  ({ request }: { request: Request }): string =>
    `${path}?token=${encodeURIComponent(tokenOf(request))}`;

/** Runs the rule of a mailed link. */
export function withLink<Result>(
  rule: (db: Database, link: { keyring: Keyring; token: string; clock: Clock }) => Promise<Result>,
  request: Request,
): Promise<Result> {
  const { db, keyring, clock } = serverContext();
  return rule(db, { keyring, token: tokenOf(request), clock });
}

/** The result of `read`, or why the link is invalid. */
export async function readLink<Loaded>(
  read: () => Promise<Loaded>,
): Promise<Loaded | { kind: 'unknown'; message: string }> {
  try {
    return await read();
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { kind: 'unknown', message: failure.message };
  }
}
