import { useEffect, useRef, useState, type FormEvent } from 'react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/ui/panel';
import { Button } from '~/components/ui/button';
import { CloseIcon } from '~/components/ui/icons';
import { TextField } from '~/components/ui/fields';
import { emptyField, fieldOf, useFilled } from './use-filled';

/**
 * The retailers of the landing page, added and removed one at a time. `retailers`: null if they could not be loaded; then
 * only the form that adds one is shown. `maxLength`: of a name.
 */
export function RetailerList({
  retailers,
  maxLength,
}: {
  retailers: readonly string[] | null;
  maxLength: number;
}) {
  const { Form, result, pending, pendingIntent } = useForms(['add-retailer', 'remove-retailer']);
  const [typedBefore] = useState(result?.values?.retailer);
  const adding = useRef<HTMLFormElement>(null);
  const filled = useFilled(adding, 'retailer');
  const saving = pending !== null;

  const added = useRef<string | null>(null);
  useEffect(() => {
    const field = fieldOf(adding.current, 'retailer');
    if (result === null || field === null) return;
    // Keeps what the user typed meanwhile.
    if (result.ok && result.intent === 'add-retailer' && field.value === added.current) emptyField(field);
    // The pressed button was removed or is disabled.
    if (document.activeElement?.matches('body, :disabled') ?? true) field.focus();
  }, [result]);

  // One at a time: a second submission would cancel the first.
  const sending = useRef(false);
  useEffect(() => {
    sending.current = saving;
  });
  function onSubmit(event: FormEvent) {
    if (sending.current) event.preventDefault();
    else sending.current = true;
  }

  const removing = pendingIntent === 'remove-retailer' ? pending?.get('retailer') : null;
  const shown = retailers?.filter((retailer) => retailer !== removing);
  return (
    <Panel title="Supported Retailers">
      <p className="text-soft">Listed on the landing page in this order.</p>
      <FormNotice result={result} fields={['retailer']} />
      {shown === undefined ? null : shown.length === 0 ? (
        <p className="rounded-pocket border border-dashed border-soft px-4 py-5 text-center text-soft">
          No retailers configured
        </p>
      ) : (
        <ul className="flex flex-wrap gap-2">
          {shown.map((retailer) => (
            <li
              key={retailer}
              className="flex max-w-full items-center gap-1 rounded-control border border-line bg-page pl-3.5"
            >
              <span className="min-w-0 py-2 [overflow-wrap:anywhere]">{retailer}</span>
              <Form method="post" preventScrollReset onSubmit={onSubmit} className="grid">
                <input type="hidden" name="retailer" value={retailer} />
                <button
                  name="intent"
                  value="remove-retailer"
                  aria-label={`Remove ${retailer}`}
                  aria-disabled={saving || undefined}
                  onClick={saving ? (event) => event.preventDefault() : undefined}
                  className="grid size-11 cursor-pointer place-items-center rounded-control text-soft hover:text-live"
                >
                  <CloseIcon />
                </button>
              </Form>
            </li>
          ))}
        </ul>
      )}
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
          errors={result?.intent === 'add-retailer' ? result.errors?.retailer : undefined}
        />
        <div className="sm:pt-[1.875rem]">
          <Button variant="primary" disabled={!filled || saving} pending={pendingIntent === 'add-retailer'}>
            Add
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
