import { createContext, useContext, type ReactNode, type ComponentProps } from 'react';
import { WarningIcon } from './icons';

/** Whether the page opens at the first field with an error. */
export const FocusErrors = createContext(false);

interface FieldTexts {
  label: string;
  /** Shown below the control. */
  hint?: string;
  errors?: readonly string[];
}

/** ARIA attributes and focus of a field's control. */
interface ControlState {
  autoFocus: boolean | undefined;
  'aria-invalid': boolean | 'true' | 'false' | 'grammar' | 'spelling' | undefined;
  'aria-describedby': string | undefined;
}

type FieldProps = FieldTexts & {
  /** The control's id; the ids of hint and errors derive from it. */
  id: string;
  /** ARIA attributes that the caller already set. */
  given: Partial<ControlState>;
  /** Renders the control with the merged ARIA attributes. */
  children: (state: ControlState) => ReactNode;
};

function Field({ id, label, hint, errors = [], given, children }: FieldProps) {
  const focusErrors = useContext(FocusErrors);
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
        autoFocus: (focusErrors && errors.length > 0) || given.autoFocus,
        'aria-invalid': errors.length > 0 || given['aria-invalid'],
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {hint === undefined ? null : (
        <p id={hintId} className="mt-1.5 text-small text-soft">
          {hint}
        </p>
      )}
      <FieldErrors id={errorId} errors={errors} />
    </div>
  );
}

/** The errors of a field, which its control names with `aria-describedby`; nothing without any. */
export function FieldErrors({ id, errors }: { id: string; errors: readonly string[] }) {
  // For a group, whose controls are not refused one by one. The control of a single field comes first.
  const focus = useContext(FocusErrors) ? { autoFocus: true, tabIndex: -1 } : {};
  return errors.length === 0 ? null : (
    <p id={id} {...focus} className="mt-1.5 flex items-start gap-1.5 text-small text-live">
      <WarningIcon />
      <span className="pt-px">{errors.join(' ')}</span>
    </p>
  );
}

type TextFieldProps = Omit<ComponentProps<'input'>, 'className' | 'id'> &
  FieldTexts & {
    id: string;
    /** For verification codes: large, spaced digits. */
    code?: boolean;
  };

/** A labelled one-line input. Browsers suggest nothing for it unless `autoComplete` says what it holds. */
export function TextField({ label, hint, errors, code = false, ...given }: TextFieldProps) {
  const input = given.type === 'file' ? given : { autoComplete: 'off', ...given };
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

type SelectFieldProps = Omit<ComponentProps<'select'>, 'className' | 'id'> & FieldTexts & { id: string };

/** A labelled choice of one option; `children` are the options. */
export function SelectField({ label, hint, errors, ...select }: SelectFieldProps) {
  return (
    <Field id={select.id} label={label} hint={hint} errors={errors} given={select}>
      {(state) => (
        <select
          {...select}
          {...state}
          className="block min-h-11 w-full rounded-control border border-soft bg-page px-3 py-2 text-ink aria-invalid:border-live"
        />
      )}
    </Field>
  );
}

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'id'> & FieldTexts & { id: string };

/** A labelled multi-line input. */
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

type SwitchProps = Omit<ComponentProps<'button'>, 'className' | 'role' | 'children'> & {
  label: string;
  on: boolean;
};

/** A switch that takes effect immediately: a submit button whose value is the new state, so an old page cannot undo it. */
export function Switch({ label, on, ...button }: SwitchProps) {
  return (
    <button
      {...button}
      role="switch"
      aria-checked={on}
      aria-label={label}
      className="group inline-flex min-h-11 cursor-pointer items-center gap-2.5 rounded-control font-semibold"
    >
      <span
        aria-hidden="true"
        className="relative h-6 w-11 rounded-full border border-soft bg-sunken transition-colors group-aria-checked:border-brand group-aria-checked:bg-brand"
      >
        <span className="absolute top-[3px] left-[3px] size-4 rounded-full bg-soft transition-transform group-aria-checked:translate-x-5 group-aria-checked:bg-brand-ink" />
      </span>
      <span aria-hidden="true">{on ? 'On' : 'Off'}</span>
    </button>
  );
}
