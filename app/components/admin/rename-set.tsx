import type { ReactNode } from 'react';
import type { TrackingSet } from '#shared/settings/tracking-sets';
import type { FormResult } from '~/components/forms/result';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/text-field';

/** The refusal of a set's new name; null for any other result. */
export function refusedRename(result: FormResult | null, id: string): FormResult | null {
  return result?.intent === 'rename' && !result.ok && result.values?.id === id ? result : null;
}

/** The form of a set's name, one of those that `forms` answers for. `children`: what stands beside its button. */
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
      <TextField
        id={`name-${id}`}
        name="name"
        label="Name"
        autoComplete="off"
        defaultValue={refused?.values?.name ?? name}
        errors={refused?.errors?.name}
      />
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

/** A refused new name by itself, for when the sets cannot be loaded. */
export function RenameSetPanel({ refused }: { refused: FormResult }) {
  const forms = useForms(['rename']);
  return (
    <Panel title="Rename a tracking set">
      <FormNotice result={forms.result} fields={['name']} />
      <RenameSetForm set={{ id: refused.values?.id ?? '', name: refused.values?.name ?? '' }} forms={forms} />
    </Panel>
  );
}
