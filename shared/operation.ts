import { z } from 'zod';
import type { LimitName } from './rate-limits';

/** Who may do something. Admins have every level. `beta`: beta access; `desktop`: beta access and Pro. */
export type Access = 'public' | 'member' | 'beta' | 'desktop' | 'admin';

type NoInput = z.ZodObject<Record<never, never>>;

/** Who acts in an operation of admins: one of them, or the operator. For the audit log. */
export interface Admin {
  actor: { userId: string | null };
}

/** The rate limit that an operation counts before it runs. */
interface OperationLimit {
  name: LimitName;
  /** Whose uses are counted together; the account by default. */
  by?: 'account' | 'network';
  /** Whether only failures count. */
  refundsSuccess?: boolean;
}

/**
 * What people can do with the product, declared once for the API, the pages and the command line. The API and the pages
 * enforce `access` and `limit`; the operator on the command line has every level and no limit.
 */
export interface Operation<Context, Caller, Input extends z.ZodObject, Result> {
  readonly access: Exclude<Access, 'public'>;
  /** Null: unlimited. */
  readonly limit: OperationLimit | null;
  /** A face may read its own fields, which it then converts. */
  readonly input: Input;
  readonly run: (context: Context, caller: Caller, input: z.output<Input>) => Promise<Result>;
  /** The message of a success; empty for one that the page shows without words. */
  readonly sentence: (result: Result, input: z.output<Input>) => string;
}

/** An operation of any type, to be compared with others. */
export type AnyOperation = Pick<Operation<never, never, NoInput, never>, 'access' | 'limit'>;

/** Declares an operation, beside the rule that it runs. `limit`: a name alone is counted by account. */
export function operation<Context, Caller, Result, Input extends z.ZodObject = NoInput>({
  access,
  limit,
  input,
  run,
  sentence = '',
}: {
  access: Exclude<Access, 'public'>;
  limit?: LimitName | OperationLimit;
  input?: Input;
  run(context: Context, caller: Caller, input: z.output<Input>): Promise<Result>;
  sentence?: string | ((result: Result, input: z.output<Input>) => string);
}): Operation<Context, Caller, Input, Result> {
  return {
    access,
    limit: typeof limit === 'string' ? { name: limit } : (limit ?? null),
    input: input ?? (z.object({}) as unknown as Input),
    run,
    sentence: typeof sentence === 'string' ? () => sentence : sentence,
  };
}
