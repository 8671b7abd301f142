const LOOKS = {
  plain: 'border-line bg-surface text-ink hover:border-soft',
  primary: 'border-transparent bg-brand text-brand-ink hover:opacity-90',
  /** The landing page's one primary call to action. */
  foil: 'foil border-transparent hover:saturate-150',
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** The classes of everything that is pressed, button or link. */
export function buttonClass(look: ButtonLook = 'plain'): string {
  return `inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-control border px-3.5 font-semibold whitespace-nowrap no-underline transition sm:px-[18px] disabled:cursor-default disabled:opacity-60 ${LOOKS[look]}`;
}

/** A button that reads as a link. */
export const LINK_BUTTON_CLASS =
  'inline-flex min-h-8 cursor-pointer items-center font-semibold text-brand underline underline-offset-4 hover:no-underline disabled:opacity-60';
