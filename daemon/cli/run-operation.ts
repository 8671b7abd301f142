import type { z } from 'zod';
import type { Actor } from '#shared/audit/write-audit';
import { parseInput, type Access, type Operation } from '#shared/operation';
import { OPERATOR } from './terminal';

/** Runs an operation for the operator, with full access and without limits. */
export async function runOperation<Context, Input extends z.ZodObject, Result>(
  operation: Operation<Access, Context, { actor: Actor }, Input, Result>,
  context: Context,
  given: z.output<Input>,
): Promise<{ result: Result; message: string }> {
  const input = parseInput(operation, given);
  const result = await operation.run(context, { actor: OPERATOR }, input);
  return { result, message: operation.sentence(result, input) };
}
