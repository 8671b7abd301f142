import { useRef, type ReactNode } from 'react';
import { clearLocalSession, findLocalToken } from './local-session';

/** Signs out here: on the server, and in local storage where scripts can reach it. */
export function SignOutForm({ children }: { children: ReactNode }) {
  const token = useRef<HTMLInputElement>(null);
  const scripts = useRef<HTMLInputElement>(null);
  return (
    <form
      method="post"
      action="/logout"
      onSubmit={() => {
        if (token.current !== null) token.current.value = findLocalToken() ?? '';
        if (scripts.current !== null) scripts.current.value = 'on';
        clearLocalSession();
      }}
    >
      <input ref={token} type="hidden" name="localToken" />
      <input ref={scripts} type="hidden" name="scripts" />
      {children}
    </form>
  );
}
