import type { ComponentProps, ReactNode } from 'react';
import { Link } from '@remix-run/react';
import { Spinner } from './icons';

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

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  look?: ButtonLook | 'link';
  /** What it started is under way: a spinner, and pressing again does nothing. */
  pending?: boolean;
  wide?: boolean;
};

/** The one button. `look="link"` reads as a link in running text. */
export function Button({ look = 'plain', pending = false, wide = false, children, ...rest }: ButtonProps) {
  const looks = look === 'link' ? LINK_BUTTON_CLASS : buttonClass(look);
  return (
    <button
      {...rest}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
      className={wide ? `${looks} w-full` : looks}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}

/** A link that looks like the button it replaces. */
export function ButtonLink({
  href,
  look = 'plain',
  children,
}: {
  href: string;
  look?: ButtonLook;
  children: ReactNode;
}) {
  return href.startsWith('#') ? (
    <a href={href} className={buttonClass(look)}>
      {children}
    </a>
  ) : (
    <Link to={href} preventScrollReset={href.startsWith('/?')} className={buttonClass(look)}>
      {children}
    </Link>
  );
}
