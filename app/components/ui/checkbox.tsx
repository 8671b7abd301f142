import type { ComponentProps } from 'react';

type CheckboxProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'id'> & {
  id: string;
  label: string;
  hint: string;
};

/** A switch of one thing, with a line on what it does. */
export function Checkbox({ label, hint, ...input }: CheckboxProps) {
  const hintId = `${input.id}-hint`;
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-3 py-1.5">
      <input
        {...input}
        type="checkbox"
        aria-describedby={hintId}
        className="mt-0.5 size-5 cursor-pointer accent-brand disabled:cursor-default"
      />
      <label htmlFor={input.id} className="cursor-pointer font-semibold">
        {label}
      </label>
      <p id={hintId} className="col-start-2 text-small text-soft">
        {hint}
      </p>
    </div>
  );
}
