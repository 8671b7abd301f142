import { useLocation } from '@remix-run/react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { sendForm } from '~/components/forms/send-form';
import { Notice } from '~/components/ui/notice';
import { clearLocalSession, findLocalToken } from './local-session';

/** What the page says where the button was pressed. */
export const SIGN_OUT_FAILED = 'Failed to sign out';

const PARAMETER = 'sign-out';
const FAILED = 'failed';

/** Whether a page's address says that signing out has failed, as it does after a form that was sent without scripts. */
export function hasSignOutFailed(search: string): boolean {
  return new URLSearchParams(search).get(PARAMETER) === FAILED;
}

/** The same page, with an address that says so. `path`: an own path, with its search. */
export function withSignOutFailed(path: string): string {
  const [rest = '', hash] = path.split('#', 2);
  const [pathname = '', search] = rest.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set(PARAMETER, FAILED);
  return `${pathname}?${parameters}${hash === undefined ? '' : `#${hash}`}`;
}

/**
 * Signs out on the server, and then in local storage where scripts can reach it. When the server does not agree, nothing
 * is cleared, and the form says so.
 */
export function SignOutForm({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const [failed, setFailed] = useState(() => hasSignOutFailed(search));
  const sending = useRef(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (sending.current) return;
    sending.current = true;
    setFailed(false);
    const form = new FormData(event.currentTarget);
    form.set('scripts', 'on');
    form.set('localToken', findLocalToken() ?? '');
    if (await sendForm('/logout', form)) {
      clearLocalSession();
      window.location.assign('/');
      return;
    }
    sending.current = false;
    setFailed(true);
  };

  return (
    <form method="post" action="/logout" onSubmit={(event) => void onSubmit(event)}>
      <input type="hidden" name="returnTo" value={pathname + search} />
      {failed ? (
        <div className="mb-1">
          <Notice kind="error">{SIGN_OUT_FAILED}</Notice>
        </div>
      ) : null}
      {children}
    </form>
  );
}
