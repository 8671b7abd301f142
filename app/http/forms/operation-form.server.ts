import type { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { DomainError } from '#shared/errors';
import type { Access } from '#shared/operation';
import { runOperation, type SiteOperation } from '../auth/run-operation.server';
import type { FormContext, FormOutcome, PageForm } from './page-forms.server';

/** How the values of a form become the input of an operation, where they are not the input. */
type Conversion<Values, Input> = Values extends Input
  ? { input?(values: Values, context: FormContext<Viewer>): Input | Promise<Input> }
  : { input(values: Values, context: FormContext<Viewer>): Input | Promise<Input> };

/** What only a page's form needs of an operation. */
type OperationPage<Schema extends z.ZodObject, Input, Result> = Pick<
  PageForm<Schema, Viewer>,
  'refused' | 'refusedTo' | 'secret'
> &
  Conversion<z.output<Schema>, Input> & {
    /** Its fields; by default those of the operation. */
    schema?: Schema;
    /** What follows a success, beside the flash notice with the operation's sentence; `message: ''` for none. */
    outcome?(
      result: Result,
      values: z.output<Schema>,
      context: FormContext<Viewer>,
    ): Omit<FormOutcome, 'ok' | 'message'> & { message?: '' };
    /** The name of what was changed, for a page that shows several: it comes before the sentence. */
    subject?(values: z.output<Schema>, context: FormContext<Viewer>): Promise<string>;
    /** The outcome of an expected refusal that the form answers otherwise; null for the others. */
    caught?(error: DomainError, values: z.output<Schema>, context: FormContext<Viewer>): FormOutcome | null;
  };

/** Declares the form's face of an operation, for `pageForms`. */
export function operationForm<Fields extends z.ZodObject, Result, Schema extends z.ZodObject = Fields>(
  operation: SiteOperation<Access, Fields, Result>,
  page: OperationPage<Schema, z.output<Fields>, NoInfer<Result>>,
): PageForm<Schema, Viewer> {
  const { outcome, subject, caught, schema, input: convert, ...shown } = page;
  const input = convert as ((values: z.output<Schema>, context: FormContext<Viewer>) => unknown) | undefined;

  async function perform(values: z.output<Schema>, context: FormContext<Viewer>): Promise<FormOutcome> {
    const given = input === undefined ? values : await input(values, context);
    const done = await runOperation(operation, context, given as z.output<Fields>);
    const prefix = subject === undefined ? '' : `${await subject(values, context)}: `;
    return { message: prefix + done.message, ...outcome?.(done.result, values, context) };
  }

  return {
    ...shown,
    operation,
    schema: schema ?? (operation.input as unknown as Schema),
    async run(values, context) {
      try {
        return await perform(values, context);
      } catch (error) {
        const other = error instanceof DomainError ? (caught?.(error, values, context) ?? null) : null;
        if (other === null) throw error;
        return other;
      }
    },
  };
}
