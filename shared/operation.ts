import { z } from 'zod';
import { DomainError } from './errors';
import { defaultMessage, inputErrors } from './input-errors';
import type { LimitName } from './rate-limits';

/** Who may do something. Admins have every level. `beta`: beta access; `desktop`: beta access and Pro. */
export type Access = 'public' | 'member' | 'beta' | 'desktop' | 'admin';

type NoInput = z.ZodObject<Record<never, never>>;

/** Who acts in an operation of admins: one of them, or the operator. For the audit log. */
export interface Admin {
  actor: { userId: string | null };
}

/** A sign-in that a browser completed. */
export interface EarlierSignIn {
  accountId: string;
  /** Epoch ms. */
  at: number;
}

/** Who acts in a public operation. */
export interface Client {
  /** As `wideNetworkOf` returns it. */
  network: string;
  userAgent: string | null;
  /** Of the same browser; none for a client that keeps no cookies. */
  earlierSignIns: readonly EarlierSignIn[];
}

/** A rate limit that an operation counts before it runs. */
interface OperationLimit<Input> {
  name: LimitName;
  /** Whose uses are counted together; the account by default. */
  by?: 'account' | 'network' | 'everybody';
  /** What else they are counted by; null: this one is not counted. */
  of?(input: Input): string | null;
  /** The refusal, where the limit's own does not fit. */
  refused?(error: DomainError): DomainError;
}

/** What the log of sign-ins says of an operation that signs in. */
interface SignIn<Input, Result> {
  way: 'password' | 'code' | 'discord' | 'passkey';
  /** The address that the caller names; absent where none is. */
  emailOf?(input: Input): string;
  /** Null: the sign-in has not ended. */
  accountOf(result: Result): { id: string } | null;
}

interface Shared<Level extends Access, Input, Result> {
  readonly access: Level;
  /** Whether only failures count against the limits. */
  readonly refundsSuccess?: boolean;
  readonly signIn?: SignIn<Input, Result>;
}

/**
 * What people can do with the product, declared once for the API, the pages and the command line. The API and the pages
 * enforce `access` and `limits`; the operator on the command line has every level and no limit.
 */
export interface Operation<
  Level extends Access,
  Context,
  Caller,
  Input extends z.ZodObject,
  Result,
> extends Shared<Level, z.output<Input>, Result> {
  readonly limits: readonly OperationLimit<z.output<Input>>[];
  /** A face may read its own fields, which it then converts. */
  readonly input: Input;
  readonly run: (context: Context, caller: Caller, input: z.output<Input>) => Promise<Result>;
  /** The message of a success; empty for one that the page shows without words. */
  readonly sentence: (result: Result, input: z.output<Input>) => string;
}

/** An operation of any type, to be compared with others. */
export type AnyOperation = { readonly access: Access; readonly limits: readonly { name: LimitName }[] };

/** Declares an operation, beside the rule that it runs. `limit`: a name alone is counted by account. */
export function operation<
  Level extends Access,
  Context,
  Caller,
  Result,
  Input extends z.ZodObject = NoInput,
>({
  limit = [],
  input,
  sentence = '',
  ...declared
}: Shared<Level, z.output<Input>, Result> & {
  limit?: LimitName | OperationLimit<z.output<Input>> | readonly OperationLimit<z.output<Input>>[];
  input?: Input;
  run(
    context: Context,
    caller: Level extends 'public' ? Client : Caller,
    input: z.output<Input>,
  ): Promise<Result>;
  sentence?: string | ((result: Result, input: z.output<Input>) => string);
}): Operation<Level, Context, Level extends 'public' ? Client : Caller, Input, Result> {
  return {
    ...declared,
    limits: [typeof limit === 'string' ? { name: limit } : limit].flat(),
    input: input ?? (z.object({}) as unknown as Input),
    sentence: typeof sentence === 'string' ? () => sentence : sentence,
  };
}

/**
 * The input of an operation, as its schema has it: a face has converted what it received. Throws `Invalid` with the sentences
 * of the fields.
 */
export function parseInput<Input extends z.ZodObject>(
  { input }: { input: Input },
  given: z.output<Input>,
): z.output<Input> {
  const { data, error } = input.safeParse(given, { error: defaultMessage });
  if (error === undefined) return data;
  const { message, errors } = inputErrors(error, 'input');
  throw new DomainError('Invalid', { code: 'invalid', message, fieldErrors: errors });
}
