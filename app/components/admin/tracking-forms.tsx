import { Button, Link } from '~/components/ui/button';
import type { ReactNode } from 'react';
import type { TrackingSet } from '#shared/settings/tracking-sets';
import type { FormResult } from '#shared/site/form-result';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { TextField, Switch } from '~/components/ui/fields';
import { Panel } from '~/components/ui/card';

export const ADD_FAILED = 'Failed to add tracking set. Please try again.';
const SAVE_FAILED = 'Failed to save tracking sets. Please try again.';

/** The specification's error messages, by intent. */
export const TRACKING_FAILED = {
  add: ADD_FAILED,
  enable: SAVE_FAILED,
  switch: SAVE_FAILED,
  rename: SAVE_FAILED,
  up: SAVE_FAILED,
  down: SAVE_FAILED,
  remove: SAVE_FAILED,
} as const;

/** The switch of the tracking slides. `slidesEnabled`: the state of the other switch that they depend on. */
export function TrackingSwitch({ enabled, slidesEnabled }: { enabled: boolean; slidesEnabled: boolean }) {
  const { Form, result, pending } = useForms(['enable']);
  const on = pending === null ? enabled : pending.get('enabled') === 'true';
  return (
    <Panel title="Tracking slides">
      <p className="text-soft">
        These slides show only while both switches are on: this one, and Tracking sets in{' '}
        <Link
          to="/dashboard/hero-slides"
          prefetch="intent"
          className="underline underline-offset-4 hover:text-brand"
        >
          Hero Slide Configuration
        </Link>
        , which is <strong className="font-semibold text-ink">{slidesEnabled ? 'on' : 'off'}</strong> at the
        moment.
      </p>
      <FormNotice result={result} />
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="enable" />
        <Switch label="Tracking slides" on={on} name="enabled" value={String(!on)} />
      </Form>
    </Panel>
  );
}

/** Returns the result if it rejects the new name of this set; else null. */
export function refusedRename(result: FormResult | null, id: string): FormResult | null {
  return result?.intent === 'rename' && !result.ok && result.values?.id === id ? result : null;
}

/** Renames a set; its intent belongs to `forms`. `children`: shown next to its button. */
export function RenameSetForm({
  set: { id, name },
  forms: { Form, result, pending, pendingIntent },
  children,
}: {
  set: Pick<TrackingSet, 'id' | 'name'>;
  forms: ReturnType<typeof useForms>;
  children?: ReactNode;
}) {
  const refused = refusedRename(result, id);
  return (
    <Form method="post" preventScrollReset className="grid gap-3 pt-1">
      <input type="hidden" name="id" value={id} />
      <TextField {...fieldsOf(refused, { name })('name')} id={`name-${id}`} label="Name" />
      <div className="flex flex-wrap gap-2.5">
        <Button
          name="intent"
          value="rename"
          pending={pendingIntent === 'rename' && pending?.get('id') === id}
        >
          Save name
        </Button>
        {children}
      </div>
    </Form>
  );
}

/** The form of a rejected new name, for when the sets cannot be loaded. */
export function RenameSetPanel({ refused }: { refused: FormResult }) {
  const forms = useForms(['rename']);
  return (
    <Panel title="Rename a tracking set">
      <FormNotice result={forms.result} fields={['name']} />
      <RenameSetForm set={{ id: refused.values?.id ?? '', name: refused.values?.name ?? '' }} forms={forms} />
    </Panel>
  );
}
