import { Link } from '@remix-run/react';
import { useEffect, useRef } from 'react';
import type { TrackingSet } from '#shared/settings/tracking-sets';
import { FormDialog } from '~/components/forms/confirmations';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { buttonClass } from '~/components/ui/button';
import { ChevronIcon } from '~/components/ui/icons';
import { Switch } from '~/components/ui/fields';
import { refusedRename, RenameSetForm } from './tracking-forms';

const CHANGES = ['switch', 'rename', 'up', 'down', 'remove'] as const;

/** Applies the pending form to the sets (optimistic UI). */
function applyPending(sets: readonly TrackingSet[], pending: FormData | null): TrackingSet[] {
  const next = [...sets];
  const at = sets.findIndex(({ id }) => id === pending?.get('id'));
  const set = next[at];
  if (set === undefined) return next;
  const intent = pending?.get('intent');
  if (intent === 'switch') next[at] = { ...set, enabled: pending?.get('enabled') === 'true' };
  if (intent === 'up' || intent === 'down') {
    const to = intent === 'up' ? at - 1 : at + 1;
    const neighbour = next[to];
    if (neighbour !== undefined) [next[at], next[to]] = [neighbour, set];
  }
  return next;
}

interface TrackingSetListProps {
  sets: readonly TrackingSet[];
  page: string;
  removing: TrackingSet | null;
}

/** The tracking sets in order. `page`: the URL without a dialog; `removing`: the set of the dialog that the URL opens. */
export function TrackingSetList({ sets, page, removing }: TrackingSetListProps) {
  const forms = useForms(CHANGES);
  const { Form, result, pending } = forms;
  const shown = applyPending(sets, pending);
  const list = useRef<HTMLOListElement>(null);
  const pressed = useRef<{ id: string; intent: string } | null>(null);

  const hasFailed = useRef(false);
  useEffect(() => {
    hasFailed.current = result?.ok === false;
  });

  // Moving a list item removes the focus from its buttons, and at the ends one of them is disabled.
  const order = shown.map(({ id }) => id).join(' ');
  useEffect(() => {
    const from = pressed.current;
    if (from === null || list.current === null) return;
    const buttons = [
      ...list.current.querySelectorAll<HTMLButtonElement>(`[data-move="${CSS.escape(from.id)}"]`),
    ];
    const same = buttons.find((button) => button.value === from.intent && !button.disabled);
    // The notice of a failure has scrolled into view.
    (same ?? buttons.find((button) => !button.disabled))?.focus({ preventScroll: hasFailed.current });
  }, [order]);

  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (result?.intent !== 'remove') return;
    if (result.ok) heading.current?.focus();
  }, [result]);
  const refusal = removing !== null && result?.intent === 'remove' && !result.ok ? result : null;

  return (
    <section aria-labelledby="tracking-sets" className="grid gap-4">
      <h2 id="tracking-sets" ref={heading} tabIndex={-1} className="text-title outline-none">
        Tracking sets
      </h2>
      {removing === null ? null : (
        <FormDialog
          title={`Remove ${removing.name}?`}
          text="Its slide will be removed from the landing page and its image deleted."
          leaveTo={page}
          forms={forms}
          refusal={refusal}
          intent="remove"
          label="Remove set"
          fields={{ id: removing.id }}
        />
      )}
      <FormNotice result={refusal === null ? result : null} fields={['name']} />
      {shown.length === 0 ? (
        <p className="rounded-card border border-dashed border-soft px-4 py-10 text-center text-soft">
          No tracking sets yet. Add the first one below.
        </p>
      ) : (
        <ol ref={list} className="binder grid gap-3.5 sm:grid-cols-2 lg:grid-cols-3">
          {shown.map((set, index) => (
            <li
              key={set.id}
              className="flex flex-col gap-3 rounded-pocket border border-line bg-surface p-3.5"
            >
              <img
                src={set.imageUrl}
                alt=""
                width={400}
                height={300}
                loading="lazy"
                className={`aspect-[4/3] w-full rounded-control bg-sunken object-cover ${set.enabled ? '' : 'opacity-50'}`}
              />
              <div className="flex items-start justify-between gap-3">
                <h3 className="min-w-0 text-lead leading-tight [overflow-wrap:anywhere]">{set.name}</h3>
                <span className="text-small text-soft">
                  {index + 1}/{shown.length}
                </span>
              </div>
              <div className="flex flex-wrap items-center justify-between gap-x-4">
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="intent" value="switch" />
                  <input type="hidden" name="id" value={set.id} />
                  <Switch
                    label={`Show ${set.name}`}
                    on={set.enabled}
                    name="enabled"
                    value={String(!set.enabled)}
                  />
                </Form>
                <Form
                  method="post"
                  preventScrollReset
                  className="flex gap-1.5"
                  onSubmit={(event) => {
                    const { submitter } = event.nativeEvent as SubmitEvent;
                    if (submitter instanceof HTMLButtonElement)
                      pressed.current = { id: set.id, intent: submitter.value };
                  }}
                >
                  <input type="hidden" name="id" value={set.id} />
                  {(['up', 'down'] as const).map((direction) => (
                    <button
                      key={direction}
                      name="intent"
                      value={direction}
                      data-move={set.id}
                      aria-label={`Move ${set.name} ${direction}`}
                      disabled={index === (direction === 'up' ? 0 : shown.length - 1)}
                      className="grid size-11 cursor-pointer place-items-center rounded-control border border-line hover:border-soft disabled:cursor-default disabled:opacity-40"
                    >
                      <span className={direction === 'up' ? 'rotate-180' : ''}>
                        <ChevronIcon />
                      </span>
                    </button>
                  ))}
                </Form>
              </div>
              <details className="group" open={refusedRename(result, set.id) === null ? undefined : true}>
                <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-1.5 text-small font-semibold">
                  Rename or remove<span className="sr-only"> {set.name}</span>
                  <span className="transition group-open:rotate-180">
                    <ChevronIcon />
                  </span>
                </summary>
                <RenameSetForm set={set} forms={forms}>
                  <Link
                    to={`?remove=${encodeURIComponent(set.id)}`}
                    preventScrollReset
                    className={buttonClass()}
                  >
                    Remove…
                  </Link>
                </RenameSetForm>
              </details>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
