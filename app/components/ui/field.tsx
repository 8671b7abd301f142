import type { ReactNode } from 'react';
import { WarningIcon } from './icons';

export interface FieldWords {
  label: string;
  /** Said before anything went wrong. */
  hint?: string;
  errors?: readonly string[];
}

/** What a control of a field says of itself to assistive technology. */
interface ControlState {
  'aria-invalid': boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
  'aria-describedby': string | undefined;
}

type FieldProps = FieldWords & {
  /** Of the control; the ids of hint and errors follow from it. */
  id: string;
  /** What its user had to say of the control already. */
  given: Partial<ControlState>;
  /** The control, which takes over what it is handed. */
  children: (state: ControlState) => ReactNode;
};

/** A control under its label, with its hint and, beside it, what is wrong with it. */
export function Field({ id, label, hint, errors = [], given, children }: FieldProps) {
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = [
    given['aria-describedby'],
    hint === undefined ? undefined : hintId,
    errors.length === 0 ? undefined : errorId,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
      </label>
      {children({
        'aria-invalid': errors.length > 0 || given['aria-invalid'],
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {hint === undefined ? null : (
        <p id={hintId} className="mt-1.5 text-small text-soft">
          {hint}
        </p>
      )}
      {errors.length === 0 ? null : (
        <p id={errorId} className="mt-1.5 flex items-start gap-1.5 text-small text-live">
          <WarningIcon />
          <span className="pt-px">{errors.join(' ')}</span>
        </p>
      )}
    </div>
  );
}
