import { useEffect, useRef, useState, type FormEvent } from 'react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/ui/card';
import { Button } from '~/components/ui/button';
import { ChevronIcon, CloseIcon } from '~/components/ui/icons';
import { TextField } from '~/components/ui/fields';
import { emptyField, fieldOf, useFilled } from './use-filled';

/** The removal that *Undo* reverts. */
export interface RemovedRetailer {
  retailer: string;
  /** Its position: 0 is the first. */
  at: number;
}

const ICON_BUTTON =
  'grid size-11 cursor-pointer place-items-center rounded-control text-soft hover:text-ink disabled:cursor-default disabled:opacity-40';

/** The list as the pending form will leave it (optimistic UI). */
function applyPending(retailers: readonly string[], pending: FormData | null): string[] {
  const at = retailers.findIndex((retailer) => retailer === pending?.get('retailer'));
  const intent = pending?.get('intent');
  if (at === -1) return [...retailers];
  if (intent === 'remove-retailer') return retailers.toSpliced(at, 1);
  const to = intent === 'retailer-up' ? at - 1 : intent === 'retailer-down' ? at + 1 : at;
  const [moved, passed] = [retailers[at], retailers[to]];
  if (moved === undefined || passed === undefined) return [...retailers];
  return retailers.with(at, passed).with(to, moved);
}

interface RetailerListProps {
  retailers: readonly string[] | null;
  maxLength: number;
}

/**
 * The retailers of the landing page: added, removed, put back and moved one at a time. `retailers`: null if they could not be loaded; then
 * only the form that adds one is shown. `maxLength`: of a name.
 */
export function RetailerList({ retailers, maxLength }: RetailerListProps) {
  const { Form, result, pending } = useForms(['add-retailer']);
  // Separate forms: their results do not replace the refusal of a new name.
  const changes = useForms<RemovedRetailer>([
    'remove-retailer',
    'restore-retailer',
    'retailer-up',
    'retailer-down',
  ]);
  const [typedBefore] = useState(result?.values?.retailer);
  const adding = useRef<HTMLFormElement>(null);
  const filled = useFilled(adding, 'retailer');
  const saving = pending !== null || changes.pending !== null;

  const added = useRef<string | null>(null);
  useEffect(() => {
    const field = fieldOf(adding.current, 'retailer');
    if (result === null || field === null) return;
    // Keeps what the user has typed since.
    if (result.ok && field.value === added.current) emptyField(field);
    // The pressed button was removed or is disabled.
    if (document.activeElement?.matches('body, :disabled') ?? true) field.focus();
  }, [result]);

  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ retailer: string; intent: string } | null>(null);
  const changed = changes.result;
  useEffect(() => {
    if (changed === null && moved.current === null) return;
    // The pressed button was removed, or the end of the list disables it.
    if (!(document.activeElement?.matches('body, :disabled') ?? true)) return;
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(
        `[data-move="${CSS.escape(moved.current?.retailer ?? '')}"]:enabled`,
      ) ?? []),
    ];
    const same = buttons.find(({ value }) => value === moved.current?.intent);
    (same ?? buttons[0] ?? fieldOf(adding.current, 'retailer'))?.focus();
  }, [changed, retailers]);

  // One at a time: a second submission would cancel the first.
  const sending = useRef(false);
  useEffect(() => {
    sending.current = saving;
  });
  function onSubmit(event: FormEvent) {
    if (sending.current) event.preventDefault();
    else sending.current = true;
  }

  const shown = retailers === null ? undefined : applyPending(retailers, changes.pending);
  const removed = changed?.ok === true ? changed.details : undefined;
  // A failed *Undo* can be repeated.
  const undo =
    changed?.intent === 'restore-retailer' && !changed.ok
      ? { retailer: changed.values?.retailer ?? '', at: Number(changed.values?.at) }
      : changed?.intent === 'remove-retailer'
        ? removed
        : undefined;
  // The name that was refused as repeated has been removed.
  const isOutdated =
    result?.code === 'retailer_repeated' &&
    changed?.intent === 'remove-retailer' &&
    removed?.retailer.toLowerCase() === result.values?.retailer?.trim().toLowerCase();
  const refused = isOutdated ? null : result;
  return (
    <Panel title="Supported Retailers">
      <p className="text-soft">Listed on the landing page in this order.</p>
      <FormNotice result={changed} />
      {undo === undefined ? null : (
        <changes.Form method="post" preventScrollReset onSubmit={onSubmit}>
          <input type="hidden" name="retailer" value={undo.retailer} />
          <input type="hidden" name="at" value={undo.at} />
          <Button name="intent" value="restore-retailer">
            Undo<span className="sr-only"> the removal of {undo.retailer}</span>
          </Button>
        </changes.Form>
      )}
      {shown === undefined ? null : shown.length === 0 ? (
        <p className="rounded-pocket border border-dashed border-soft px-4 py-5 text-center text-soft">
          No retailers configured
        </p>
      ) : (
        <ol ref={list} className="grid gap-2">
          {shown.map((retailer, index) => (
            <li key={retailer} className="rounded-control border border-line bg-page pl-3.5">
              <changes.Form
                method="post"
                preventScrollReset
                onSubmit={(event) => {
                  const { submitter } = event.nativeEvent as SubmitEvent;
                  if (submitter instanceof HTMLButtonElement)
                    moved.current = { retailer, intent: submitter.value };
                  onSubmit(event);
                }}
                className="flex items-center gap-1"
              >
                <input type="hidden" name="retailer" value={retailer} />
                <span className="min-w-0 flex-1 py-2 [overflow-wrap:anywhere]">{retailer}</span>
                {(['up', 'down'] as const).map((direction) => (
                  <button
                    key={direction}
                    name="intent"
                    value={`retailer-${direction}`}
                    data-move={retailer}
                    aria-label={`Move ${retailer} ${direction}`}
                    disabled={index === (direction === 'up' ? 0 : shown.length - 1)}
                    className={ICON_BUTTON}
                  >
                    <span className={direction === 'up' ? 'rotate-180' : ''}>
                      <ChevronIcon />
                    </span>
                  </button>
                ))}
                <button
                  name="intent"
                  value="remove-retailer"
                  aria-label={`Remove ${retailer}`}
                  aria-disabled={saving || undefined}
                  onClick={saving ? (event) => event.preventDefault() : undefined}
                  className={`${ICON_BUTTON} hover:text-live`}
                >
                  <CloseIcon />
                </button>
              </changes.Form>
            </li>
          ))}
        </ol>
      )}
      <FormNotice result={refused} fields={['retailer']} />
      <Form
        ref={adding}
        method="post"
        preventScrollReset
        onSubmit={(event) => {
          onSubmit(event);
          if (!event.defaultPrevented)
            added.current = fieldOf(event.currentTarget, 'retailer')?.value ?? null;
        }}
        className="grid gap-3 sm:grid-cols-[1fr_auto] sm:items-start"
      >
        <input type="hidden" name="intent" value="add-retailer" />
        <TextField
          id="retailer"
          name="retailer"
          label="Add a retailer"
          autoComplete="off"
          maxLength={maxLength}
          defaultValue={typedBefore}
          errors={refused?.errors?.retailer}
        />
        <div className="sm:pt-[1.875rem]">
          <Button variant="primary" disabled={!filled || saving} pending={pending !== null}>
            Add
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
