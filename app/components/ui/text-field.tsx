import type { ComponentProps } from 'react';
import { WarningIcon } from './icons';

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id'> & {
  id: string;
  label: string;
  /** Said before anything went wrong. */
  hint?: string;
  errors?: readonly string[];
  /** For codes: large, spaced figures. */
  code?: boolean;
};

/** A labelled input with its hint and, beside it, what is wrong with it. */
export function TextField({ label, hint, errors = [], code = false, ...input }: TextFieldProps) {
  const hintId = `${input.id}-hint`;
  const errorId = `${input.id}-error`;
  const describedBy = [
    input['aria-describedby'],
    hint === undefined ? undefined : hintId,
    errors.length === 0 ? undefined : errorId,
  ]
    .filter((id) => id !== undefined)
    .join(' ');
  return (
    <div>
      <label htmlFor={input.id} className="mb-1.5 block font-semibold">
        {label}
      </label>
      <input
        {...input}
        aria-invalid={errors.length > 0 || input['aria-invalid']}
        aria-describedby={describedBy === '' ? undefined : describedBy}
        className={`block min-h-11 w-full rounded-control border border-soft bg-page px-3.5 py-2 text-ink placeholder:text-soft aria-invalid:border-live ${code ? 'text-center font-display text-title tracking-[0.35em]' : ''}`}
      />
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
