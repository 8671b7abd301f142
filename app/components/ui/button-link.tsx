import { Link } from '@remix-run/react';
import type { ReactNode } from 'react';
import { buttonClass, type ButtonLook } from './button-look';

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
