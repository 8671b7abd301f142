import { Link, useLocation } from '@remix-run/react';
import { useEffect, useRef, type ReactNode } from 'react';
import { RELEASES_PATH } from '~/components/releases/release-addresses';
import type { SignedIn } from '~/components/site/site-facts';
import { ChevronIcon } from '~/components/ui/icons';
import { Avatar } from './avatar';
import { hasSignOutFailed, SignOutForm } from './sign-out-form';

const ITEM =
  'flex min-h-10 w-full cursor-pointer items-center rounded-control px-3 font-[550] hover:bg-sunken';

/** The signed-in user's menu, a native disclosure that scripts also close on Esc or a click outside. `children`: items. */
export default function UserMenu({ user, children }: { user: SignedIn; children?: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  // After a sign-out without scripts, the menu must show the error in its form.
  const open = hasSignOutFailed(useLocation().search);

  useEffect(() => {
    const close = () => menu.current?.removeAttribute('open');
    const onPointer = (event: PointerEvent) => {
      if (event.target instanceof Node && menu.current?.contains(event.target) === false) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || menu.current?.open !== true) return;
      close();
      menu.current.querySelector('summary')?.focus();
    };
    document.addEventListener('pointerdown', onPointer);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('pointerdown', onPointer);
      document.removeEventListener('keydown', onKey);
    };
  }, []);

  return (
    <details ref={menu} open={open} className="group relative" data-user-menu>
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control [&::-webkit-details-marker]:hidden">
        <Avatar name={user.name} url={user.avatarUrl} />
        <span className="sr-only">Menu of </span>
        <span className="max-w-32 truncate font-semibold max-sm:sr-only">{user.name}</span>
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      <ul className="absolute right-0 mt-2 w-52 rounded-pocket border border-line bg-surface p-2 shadow-card">
        <li className="truncate px-3 py-1.5 text-small text-soft sm:hidden">{user.name}</li>
        <li>
          <Link to="/dashboard" className={ITEM}>
            Dashboard
          </Link>
        </li>
        {user.admin ? (
          <li>
            <Link to={RELEASES_PATH} className={ITEM}>
              Releases
            </Link>
          </li>
        ) : null}
        <li>
          <Link to="/account" className={ITEM}>
            Account
          </Link>
        </li>
        {children}
        <li className="mt-1 border-t border-line pt-1">
          <SignOutForm>
            <button className={ITEM}>Sign out</button>
          </SignOutForm>
        </li>
      </ul>
    </details>
  );
}
