import type { ReactNode } from 'react';
import type { TrackingSet } from '#shared/settings/tracking-sets';
import { AnswerNotice } from '~/components/forms/answer-notice';
import type { FormAnswer } from '~/components/forms/form-answer';
import { ScriptsField } from '~/components/forms/scripts-field';
import { useAnsweringForm } from '~/components/forms/use-answering-form';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/text-field';

/** The refusal of a set's new name; null for any other answer. */
export function refusedRename(answer: FormAnswer | null, id: string): FormAnswer | null {
  return answer?.intent === 'rename' && !answer.ok && answer.values?.id === id ? answer : null;
}

/** The form of a set's name, one of those that `forms` answers for. `children`: what stands beside its button. */
export function RenameSetForm({
  set: { id, name },
  forms: { Form, answer, pending, pendingIntent },
  children,
}: {
  set: Pick<TrackingSet, 'id' | 'name'>;
  forms: ReturnType<typeof useAnsweringForm>;
  children?: ReactNode;
}) {
  const refused = refusedRename(answer, id);
  return (
    <Form method="post" preventScrollReset className="grid gap-3 pt-1">
      <ScriptsField />
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
export function RenameSetPanel({ refused }: { refused: FormAnswer }) {
  const forms = useAnsweringForm(['rename']);
  return (
    <Panel title="Rename a tracking set">
      <AnswerNotice answer={forms.answer} fields={['name']} />
      <RenameSetForm set={{ id: refused.values?.id ?? '', name: refused.values?.name ?? '' }} forms={forms} />
    </Panel>
  );
}
