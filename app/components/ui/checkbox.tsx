import type { ComponentProps } from 'react';

type CheckboxProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'id'> & {
  id: string;
  label: string;
  hint: string;
};

/** A labelled checkbox with a hint. */
export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const hintId = `${input.id}-hint`;
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 py-1.5">
      <input
        {...input}
        type="checkbox"
        aria-describedby={hintId}
        className="mt-0.5 size-5 cursor-pointer accent-brand disabled:cursor-default"
      />
      <label htmlFor={input.id} className="cursor-pointer font-semibold wrap-anywhere">
        {label}
      </label>
      <p id={hintId} className="col-start-2 text-small wrap-anywhere text-soft">
        {hint}
      </p>
    </div>
  );
}
