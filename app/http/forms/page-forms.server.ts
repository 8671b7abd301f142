import { parseWithZod } from '@conform-to/zod/v4';
import { data, redirect, replace, type ActionFunctionArgs } from '@remix-run/node';
import { z } from 'zod';
import type { AnyOperation, Access } from '#shared/operation';
import type { FormResult } from '#shared/site/form-result';
import {
  databaseFailure,
  failureOf,
  type Failure,
  logPageError,
  logRefusal,
} from '../server/failures.server';
import { fitsFlash, storeFlash } from './flash.server';
import { keepRefusals, withOtherRefusals } from './other-refusals.server';
import { readForm } from './read-form.server';
import { isMultipart, readUpload, type ArrivedFile, type UploadShape } from './read-upload.server';
import type { Viewer } from '#shared/accounts/account';
import { DomainError, isRateLimit } from '#shared/errors';
import { performerOf, type Perform, type SiteOperation } from '../auth/run-operation.server';

/** For a value that the page's own form cannot send, such as a repeated field. A message in the schema takes precedence. */
const NOT_UNDERSTOOD = 'We did not understand this form. Please reload the page and try again.';

/** A text field; absent counts as empty. */
export const textField = z.string().default('');

export const switchField = textField.transform((value) => value === 'true');

/** The schema of a form without fields. */
export const noFields = z.object({});

/** The `access` of a page for everyone, signed in or not. */
export const everybody = (): Promise<null> => Promise.resolve(null);

/** The context of a form's `run`. */
export interface FormContext<Viewer> {
  request: Request;
  params: ActionFunctionArgs['params'];
  viewer: Viewer;
  /** Null: the form was sent without files. */
  files: readonly ArrivedFile[] | null;
}

/** The outcome of a form's `run`: a refusal with `ok: false`, else a redirect with a flash notice. */
export type FormOutcome = Partial<Omit<FormResult, 'intent'>> & {
  /** Redirect target, a path or an absolute URL; the page itself by default. */
  to?: string;
  headers?: Headers;
  /** Respond with the result instead of a redirect, for scripts. */
  stay?: boolean;
};

/** One of a page's forms. */
export interface PageForm<Schema extends z.ZodObject, Viewer> {
  /** Its fields. All others are ignored. */
  schema: Schema;
  /** Does the work. Expected refusals (`DomainError`) become the form's result, anything else is logged as a bug. */
  run(values: z.output<Schema>, context: FormContext<Viewer>): Promise<FormOutcome | void>;
  /** The flash notice, unless the outcome has a message. */
  done?: string;
  /** Replaces the sentence of an expected refusal. Rate limits keep theirs. */
  refused?(failure: Failure): string;
  /** The page that shows a refusal as a flash notice, if the form is on another page than its action. Null: this page. */
  refusedTo?(form: URLSearchParams): string | null;
  /** Fields whose values are never sent back. */
  secret?: readonly string[];
}

/** A form of an operation, from `operationForm` or `performingForm`. */
type OperationForm<Schema extends z.ZodObject> = PageForm<Schema, Viewer | null> & {
  operation: AnyOperation;
};

interface FormsPage<Viewer, Intent extends string> {
  /** The address that a form redirects to. */
  path: string | ((args: ActionFunctionArgs) => string);
  /** Checks who may send the page's forms; throws a redirect for others. */
  access(request: Request): Promise<Viewer>;
  /** Per intent, the sentence for an unexpected failure. */
  failed: Readonly<Record<Intent, string>>;
  limitBytes?: number;
  /** The intent of the result for a form that cannot be read; without it the error page is shown. */
  unreadable?: string;
  /** The one form that may carry files. */
  files?: {
    intent: string;
    shape: UploadShape | ((context: Omit<FormContext<Viewer>, 'files'>) => UploadShape);
  };
}

/** The response to throw for an unknown intent. */
export function badRequest(): Response {
  return new Response(null, { status: 400 });
}

/** What to throw for a form that cannot be read: the error page with the refusal's status, or a bug unchanged. */
export function errorPage(error: unknown): unknown {
  const failure = failureOf(error);
  return failure === null ? error : data(null, { status: failure.status });
}

/** Browsers send the lines of a text box with CR and LF (html.spec.whatwg.org, "normalize newlines"); our texts have LF. */
function withPlainNewlines(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].map(([name, value]) => [name, value.replaceAll('\r\n', '\n')]));
}

/**
 * Parses a form with conform. The library sees only the schema's field names: from other names it would build objects and
 * lists of any size, and it accepts commands (`__intent__`, `__state__`) in two of them (@conform-to/dom 1.21,
 * `getSubmissionContext`).
 */
export function parsePageForm<Schema extends z.ZodObject>(form: URLSearchParams, schema: Schema) {
  const fields = new URLSearchParams();
  for (const name of Object.keys(schema.shape)) {
    for (const value of form.getAll(name)) fields.append(name, value);
  }
  return parseWithZod(fields, { schema, error: () => NOT_UNDERSTOOD });
}

/** The values of a form's fields, except the secret ones. Those of a repeated field are separated by commas. */
function valuesOf(form: URLSearchParams, { schema, secret = [] }: Pick<AnyForm, 'schema' | 'secret'>) {
  const names = Object.keys(schema.shape).filter((name) => form.has(name) && !secret.includes(name));
  return Object.fromEntries(names.map((name) => [name, form.getAll(name).join(',')]));
}

interface SentForm {
  fields: URLSearchParams;
  files: readonly ArrivedFile[] | null;
}

/** A form with any schema; its values are validated before it runs. */
type AnyForm = PageForm<z.ZodObject, never> & { operation?: AnyOperation };

/**
 * Declares the forms of a page, one per intent, and gives its `action`: access, reading, schema, `run`. A refusal is
 * answered with a `FormResult` (status 200, since browsers note every other as an error of the page); a success redirects
 * (303) with a flash notice. Its counterpart in the browser is `keepFormOnNetworkError`, declared separately: Remix
 * removes the `action` and its dependencies from browser code. Throws 400 for an unknown intent.
 */
export function pageForms<Viewer, Schemas extends Record<string, z.ZodObject>>(
  page: FormsPage<Viewer, NoInfer<keyof Schemas & string>>,
  forms: { [Intent in keyof Schemas]: PageForm<Schemas[Intent], Viewer> },
) {
  const sentences: Readonly<Record<string, string>> = page.failed;
  function find(intent: string): AnyForm | undefined {
    return Object.hasOwn(forms, intent) ? (forms[intent] as unknown as AnyForm) : undefined;
  }

  function refuse(error: unknown, intent: string, form: URLSearchParams): FormResult {
    const found = find(intent);
    const failed = sentences[intent] ?? '';
    const values = found === undefined ? undefined : valuesOf(form, found);
    const failure = failureOf(error);
    if (failure === null) {
      logPageError(error, { message: 'a form failed', intent });
      const fault = databaseFailure(error);
      // "Failed to save" would be wrong for changes that may have been saved.
      const message = fault?.code === 'outcome_unknown' ? fault.message : failed;
      return { intent, ok: false, message, values };
    }
    logRefusal(error, { message: 'the form was refused', intent });
    const message = (isRateLimit(error) ? undefined : found?.refused?.(failure)) ?? failure.message;
    return { intent, ok: false, message, code: failure.code, errors: failure.errors, values };
  }

  async function answer(args: ActionFunctionArgs, viewer: Viewer, { fields, files }: SentForm) {
    const { request, params } = args;
    const form = withPlainNewlines(fields);
    const intent = form.get('intent') ?? '';
    const found = find(intent);
    if (found === undefined) throw badRequest();
    const refusedTo = found.refusedTo?.(form) ?? null;
    const answerRefusal = async (refusal: FormResult) => {
      if (refusedTo === null) return keepRefusals(refusal, request, form);
      const headers = new Headers();
      await storeFlash(headers, refusedTo, refusal);
      return replace(refusedTo, { status: 303, headers });
    };
    const submission = parsePageForm(form, found.schema);
    if (submission.status !== 'success') {
      const errors = Object.fromEntries(
        Object.entries(submission.error ?? {}).map(([name, sentences]) => [name, sentences ?? []]),
      );
      const message = Object.values(errors).flat()[0] ?? sentences[intent] ?? '';
      return answerRefusal({ intent, ok: false, message, errors, values: valuesOf(form, found) });
    }
    try {
      const run = found.run as PageForm<z.ZodObject, Viewer>['run'];
      const outcome = (await run(submission.value, { request, params, viewer, files })) ?? {};
      const { to, headers = new Headers(), stay = false, ...changes } = outcome;
      const result: FormResult = { intent, ok: true, message: found.done ?? '', ...changes };
      if (!result.ok) return answerRefusal({ values: valuesOf(form, found), ...result });
      const here = typeof page.path === 'string' ? page.path : page.path(args);
      const address = stay ? here : (to ?? here);
      const shown = withOtherRefusals(result, form, { request, address });
      if (stay || !fitsFlash(shown)) return data(shown, { headers });
      if (shown.message !== '' || shown.others !== undefined) await storeFlash(headers, address, shown);
      // After leaving for another site, Back returns to the page with the form.
      const leave = URL.canParse(address) ? redirect : replace;
      return leave(address, { status: 303, headers });
    } catch (error) {
      if (error instanceof Response) throw error;
      return answerRefusal(refuse(error, intent, form));
    }
  }

  async function action(args: ActionFunctionArgs) {
    const { request } = args;
    const viewer = await page.access(request);
    if (page.files !== undefined && isMultipart(request)) {
      const { intent, shape } = page.files;
      return readUpload(
        request,
        typeof shape === 'function' ? shape({ request, params: args.params, viewer }) : shape,
        (upload) => answer(args, viewer, upload),
        (error, arrived) => keepRefusals(refuse(error, intent, arrived), request, arrived),
      );
    }
    let fields: URLSearchParams;
    try {
      fields = await readForm(request, page.limitBytes);
    } catch (error) {
      if (page.unreadable === undefined || failureOf(error) === null) throw errorPage(error);
      return refuse(error, page.unreadable, new URLSearchParams());
    }
    return answer(args, viewer, { fields, files: null });
  }

  return {
    /** With metadata for the test of the operations. */
    action: Object.assign(action, {
      forms: forms as Readonly<Record<string, Pick<AnyForm, 'operation' | 'done'>>>,
      access: page.access as (request: Request) => Promise<unknown>,
    }),
    /** `action` for fields that the route has read already: a body can be read once. */
    async actionOf(args: ActionFunctionArgs, fields: URLSearchParams) {
      return answer(args, await page.access(args.request), { fields, files: null });
    },
  };
}

/** Converts a form's values to the operation's input, unless they already match. */
type Conversion<Values, Input> = Values extends Input
  ? { input?(values: Values, context: FormContext<Viewer>): Input | Promise<Input> }
  : { input(values: Values, context: FormContext<Viewer>): Input | Promise<Input> };

/** The form-specific parts of an operation. */
type OperationPage<Schema extends z.ZodObject, Input, Result> = Pick<
  PageForm<Schema, Viewer>,
  'refused' | 'refusedTo' | 'secret'
> &
  Conversion<z.output<Schema>, Input> & {
    /** Its fields; by default those of the operation. */
    schema?: Schema;
    /** The outcome of a success, in addition to the flash notice with the operation's sentence; `message: ''` for none. */
    outcome?(
      result: Result,
      values: z.output<Schema>,
      context: FormContext<Viewer>,
    ): Omit<FormOutcome, 'ok' | 'message'> & { message?: '' };
    /** The name of the changed object, on a page that shows several: it precedes the sentence. */
    subject?(values: z.output<Schema>, context: FormContext<Viewer>): Promise<string>;
    /** A special outcome for an expected refusal; null for the others. Not called for rate limits. */
    caught?(error: DomainError, values: z.output<Schema>, context: FormContext<Viewer>): FormOutcome | null;
  };

/** Declares a form that runs an operation itself, with `perform`. */
export function performingForm<Fields extends z.ZodObject, Result, Schema extends z.ZodObject>(
  operation: SiteOperation<Access, Fields, Result>,
  {
    run,
    ...form
  }: Omit<PageForm<Schema, Viewer>, 'run'> & {
    run(
      perform: Perform<Fields, Result>,
      values: z.output<Schema>,
      context: FormContext<Viewer>,
    ): Promise<FormOutcome>;
  },
): OperationForm<Schema> {
  return {
    ...form,
    operation,
    // A page whose operations require an access level has a viewer.
    run: (values, context) => run(performerOf(operation, context), values, context as FormContext<Viewer>),
  };
}

/** Declares an operation's form, for `pageForms`. */
export function operationForm<Fields extends z.ZodObject, Result, Schema extends z.ZodObject = Fields>(
  operation: SiteOperation<Access, Fields, Result>,
  page: OperationPage<Schema, z.output<Fields>, NoInfer<Result>>,
): OperationForm<Schema> {
  const { outcome, subject, caught, schema, input: convert, ...shown } = page;
  const input = convert as ((values: z.output<Schema>, context: FormContext<Viewer>) => unknown) | undefined;

  return performingForm(operation, {
    ...shown,
    schema: schema ?? (operation.input as unknown as Schema),
    async run(perform, values, context) {
      try {
        const given = input === undefined ? values : await input(values, context);
        const done = await perform(given as z.output<Fields>);
        const prefix = subject === undefined ? '' : `${await subject(values, context)}: `;
        return { message: prefix + done.message, ...outcome?.(done.result, values, context) };
      } catch (error) {
        const isRefusal = error instanceof DomainError && !isRateLimit(error);
        const other = isRefusal ? caught?.(error, values, context) : null;
        if (other == null) throw error;
        return other;
      }
    },
  });
}
