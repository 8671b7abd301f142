import type { ComponentProps } from 'react';
import { buttonClass, LINK_BUTTON_CLASS, type ButtonLook } from './button-look';
import { Spinner } from './spinner';

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
