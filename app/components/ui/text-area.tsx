import type { ComponentProps } from 'react';
import { Field, type FieldWords } from './field';

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'id'> & FieldWords & { id: string };

/** A labelled box for several lines. */
export function TextArea({ label, hint, errors, ...box }: TextAreaProps) {
  return (
    <Field id={box.id} label={label} hint={hint} errors={errors} given={box}>
      {(state) => (
        <textarea
          {...box}
          {...state}
          className="block w-full rounded-control border border-soft bg-page px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-live"
        />
      )}
    </Field>
  );
}
