import type { ComponentProps } from 'react';
import { Field, type FieldWords } from './field';

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id'> &
  FieldWords & {
    id: string;
    /** For codes: large, spaced figures. */
    code?: boolean;
  };

/** A labelled input. */
export function TextField({ label, hint, errors, code = false, ...input }: TextFieldProps) {
  return (
    <Field id={input.id} label={label} hint={hint} errors={errors} given={input}>
      {(state) => (
        <input
          {...input}
          {...state}
          className={`block min-h-11 w-full rounded-control border border-soft bg-page px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-live file:mr-3 file:cursor-pointer file:rounded-[6px] file:border file:border-solid file:border-line file:bg-surface file:px-3 file:py-0.5 file:font-semibold file:text-ink ${code ? 'text-center font-display text-title tracking-[0.35em]' : ''}`}
        />
      )}
    </Field>
  );
}
