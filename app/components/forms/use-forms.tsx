import { useActionData, useFetcher, useLocation, type FormProps } from '@remix-run/react';
import { forwardRef, useEffect, useRef, useState } from 'react';
import { useSiteFacts } from '~/components/site/site-facts';
import { FocusErrors } from '~/components/ui/fields';
import { FailureNotice, Notice } from '~/components/ui/notice';
import { OTHER_REFUSALS, type FormResult } from '#shared/site/form-result';
import { useHydrated } from '~/components/ui/use-hydrated';
import { useAbandoned } from './use-leaving';

/** The possible sources of a panel's result; null if absent or of another panel. */
interface Sources<Result> {
  /** From the panel's fetcher, which keeps its data when the location changes. */
  fetched: Result | null;
  /** From the navigation that submitted a form. */
  sent: Result | null;
  /** The page's flash notice. */
  flash: Result | null;
}

/**
 * Returns the latest result. A success disappears when the location changes (`place`: its key), and when the page shows a
 * flash notice of another panel (`flash`: that of any panel). An error stays until the address changes: the success of
 * another form reloads the page, and what was refused is still to be corrected.
 */
function useLatest<Result extends { ok: boolean }>(
  sources: Sources<Result>,
  { place, address, flash }: { place: string; address: string; flash: unknown },
) {
  const [seen, setSeen] = useState(() => ({
    sources,
    place,
    address,
    flash,
    latest: sources.fetched ?? sources.sent ?? sources.flash,
  }));
  const names = ['fetched', 'sent', 'flash'] as const;
  if (
    seen.place === place &&
    seen.flash === flash &&
    names.every((name) => sources[name] === seen.sources[name])
  )
    return seen.latest;
  const changed = names
    .map((name) => (sources[name] === seen.sources[name] ? null : sources[name]))
    .find((result) => result !== null);
  // A form that a navigation sends changes the place, after its result has arrived.
  const stays = seen.place === place || (sources.sent !== null && sources.sent === seen.latest);
  const isReplaced = flash !== null && flash !== seen.flash;
  const isSentAgain = seen.latest === seen.sources.fetched && sources.fetched !== seen.latest;
  const isOpenError = seen.latest?.ok === false && seen.address === address && !isSentAgain;
  const latest = changed ?? (isOpenError || (stays && !isReplaced) ? seen.latest : null);
  setSeen({ sources, place, address, flash, latest });
  return latest;
}

/** Without scripts: the hidden field by which a form keeps the refusals of the page's other panels. */
function OtherRefusals({ isOwn }: { isOwn: (result: FormResult) => boolean }) {
  const sent = useActionData() as FormResult | undefined;
  const { flash } = useSiteFacts();
  const hydrated = useHydrated();
  const results = [sent, ...(sent?.others ?? []), ...(flash?.others ?? [])];
  const tokens = results.flatMap((result) => (result == null || isOwn(result) ? [] : (result.token ?? [])));
  return hydrated || tokens.length === 0 ? null : (
    <input type="hidden" name={OTHER_REFUSALS} value={tokens.join(' ')} />
  );
}

/**
 * The form of a panel that, without scripts, keeps the refusals of the others, and shows its own at once: each form then
 * opens its page at the top, and the refused field may be screens below.
 */
function keepOthers(Form: ReturnType<typeof useFetcher>['Form'], isOwn: (result: FormResult) => boolean) {
  return forwardRef<HTMLFormElement, FormProps>(function PanelForm({ children, ...props }, ref) {
    const sent = useActionData() as FormResult | undefined;
    const { flash } = useSiteFacts();
    const opensHere = [sent, flash].some((result) => result != null && isOwn(result));
    const hydrated = useHydrated();
    return (
      <Form {...props} ref={ref}>
        {/* First: a server reads the fields before it receives a file. */}
        <OtherRefusals isOwn={isOwn} />
        <FocusErrors.Provider value={!hydrated && opensHere}>{children}</FocusErrors.Provider>
      </Form>
    );
  });
}

/**
 * The forms of one panel: their latest result and pending submission. With scripts a fetcher submits them, so that other
 * input on the page stays; without scripts the page is rendered with the result. `intents`: the panel's intents. `isOurs`:
 * selects this panel's results if several panels share an intent.
 */
export function useForms<Details = unknown>(
  intents: readonly string[],
  isOurs: (result: FormResult<Details>) => boolean = () => true,
) {
  const fetcher = useFetcher<FormResult<Details>>();
  const sent = useActionData() as FormResult<Details> | undefined;
  const flash = useSiteFacts().flash as FormResult<Details> | null;
  const isOwn = (result: FormResult<Details>) => intents.includes(result.intent) && isOurs(result);
  const own = (result: FormResult<Details> | null | undefined) =>
    [result, ...((result?.others ?? []) as FormResult<Details>[])].find((one) => one != null && isOwn(one)) ??
    null;
  const [Form] = useState(() => keepOthers(fetcher.Form, (result) => isOwn(result as FormResult<Details>)));
  const location = useLocation();
  const latest = useLatest(
    { fetched: own(fetcher.data as FormResult<Details> | undefined), sent: own(sent), flash: own(flash) },
    { place: location.key, address: location.pathname + location.search, flash },
  );
  const isAbandoned = useAbandoned([fetcher]);
  const pending = fetcher.state === 'idle' || isAbandoned(fetcher) ? null : (fetcher.formData ?? null);
  return {
    Form,
    submit: fetcher.submit,
    latest,
    /** The latest result; null during a submission. */
    result: pending === null ? latest : null,
    /** The fields of the pending submission. */
    pending,
    pendingIntent: pending === null ? null : String(pending.get('intent') ?? ''),
  };
}

/**
 * What each field of a form is rendered with: `{...field('title')}`. `values`: what the fields hold before anything was sent;
 * what was refused takes precedence. The id is the name unless the form gives another.
 */
export function fieldsOf(
  result: FormResult | null,
  values: Readonly<Partial<Record<string, string | number>>> = {},
) {
  const refusal = result?.ok === false ? result : null;
  return (name: string) => ({
    id: name,
    name,
    defaultValue: refusal?.values?.[name] ?? values[name],
    errors: refusal?.errors?.[name],
  });
}

/** The first control of a form that a refusal names. */
function findRefused(formId: string, errors: Record<string, unknown>): HTMLElement | undefined {
  const controls = document.querySelectorAll<HTMLElement>(`#${formId} [name]`);
  return [...controls].find((control) => Object.hasOwn(errors, control.getAttribute('name') ?? ''));
}

/**
 * As `fieldsOf`, for a form whose first refused field gets the focus, and whose fields keep what they held at first. `form`:
 * the properties of the form element; the server validates, so that all sentences are ours. Ids begin with `formId`.
 */
export function useFields(
  formId: string,
  result: FormResult | null,
  values: Readonly<Partial<Record<string, string>>> = {},
) {
  const refusal = result?.ok === false ? result : null;
  const [initial] = useState(refusal?.values ?? values);
  const shown = useRef(refusal);
  useEffect(() => {
    if (refusal === shown.current) return;
    shown.current = refusal;
    if (refusal?.errors !== undefined) findRefused(formId, refusal.errors)?.focus();
  }, [formId, refusal]);
  const fieldOf = fieldsOf(refusal);
  return {
    form: { id: formId, noValidate: true },
    field: (name: string) => ({ ...fieldOf(name), id: `${formId}-${name}`, defaultValue: initial[name] }),
  };
}

export type Forms<Details = unknown> = ReturnType<typeof useForms<Details>>;

interface FormNoticeProps {
  result: FormResult | null;
  fields?: readonly string[];
}

/**
 * The notice for a form's result, unless it is an error shown next to one of `fields`. It has the focus when the page opens
 * with it, as a refused field has.
 */
export function FormNotice({ result, fields = [] }: FormNoticeProps) {
  const hydrated = useHydrated();
  if (result === null || result.message === '') return null;
  if (fields.some((field) => result.errors?.[field] !== undefined)) return null;
  const autoFocus = !hydrated && result.earlier === undefined;
  return result.ok ? (
    <Notice kind="success" autoFocus={autoFocus}>
      {result.message}
    </Notice>
  ) : (
    <FailureNotice result={result} autoFocus={autoFocus}>
      {result.message}
    </FailureNotice>
  );
}
