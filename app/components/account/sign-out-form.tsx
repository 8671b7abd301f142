import { useLocation } from '@remix-run/react';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { sendForm } from '~/components/forms/send-form';
import { Notice } from '~/components/ui/notice';
import { clearLocalSession, findLocalToken, withoutLocalSessionCheck } from './local-session';

export const SIGN_OUT_FAILED = 'Failed to sign out';

const PARAMETER = 'sign-out';
const FAILED = 'failed';

/** Whether the search parameters report a failed sign-out, as they do after one without scripts. */
export function hasSignOutFailed(search: string): boolean {
  return new URLSearchParams(search).get(PARAMETER) === FAILED;
}

/** Adds the parameter that reports a failed sign-out to a path with its search parameters. */
export function withSignOutFailed(path: string): string {
  const [rest = '', hash] = path.split('#', 2);
  const [pathname = '', search] = rest.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set(PARAMETER, FAILED);
  return `${pathname}?${parameters}${hash === undefined ? '' : `#${hash}`}`;
}

/** Signs out on the server, then clears local storage. If the server fails, nothing is cleared and the form says so. */
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
    const ended = await withoutLocalSessionCheck(async () => {
      const redirected = await sendForm('/logout', form);
      if (redirected) clearLocalSession();
      return redirected;
    });
    // The browser may show this page again, from its back/forward cache.
    sending.current = false;
    if (ended) window.location.assign('/');
    else setFailed(true);
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
