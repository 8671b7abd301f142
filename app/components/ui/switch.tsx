import type { ComponentProps } from 'react';

type SwitchProps = Omit<ComponentProps<'button'>, 'className' | 'role' | 'children'> & {
  label: string;
  on: boolean;
};

/**
 * A switch that takes effect immediately: the submit button of its own form. Its value is the new state, not "toggle", so
 * that an outdated page cannot switch it back.
 */
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
