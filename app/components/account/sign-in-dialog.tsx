import { useEffect, useState, useRef } from 'react';
import { useLocation, useNavigate } from '@remix-run/react';
import { CloseIcon } from '~/components/ui/icons';
import { DiscordSignIn } from './login-forms';
import { useSignInPath } from './next-path';
import { VerifyForm } from './verify-form';

/** The value, and for `ms` after it went away its last one: what fades out has to stay until it has faded. */
export function useLingering<Value>(value: Value | null, ms: number): Value | null {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  useEffect(() => {
    if (value !== null) return;
    const timer = setTimeout(() => setKept(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value ?? kept;
}

const FADE_MS = 200;
const PARAMETER = 'auth';

export type SignInMode = 'login' | 'verify';

const HEADINGS: Record<SignInMode, string> = { login: 'Welcome Back', verify: 'Verify Email' };

/** Which side of the dialog an address asks for; null for none. */
export function signInMode(search: URLSearchParams): SignInMode | null {
  const mode = search.get(PARAMETER);
  return mode === 'login' || mode === 'verify' ? mode : null;
}

function withoutDialog(pathname: string, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(PARAMETER);
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}

/**
 * The dialog that `/?auth=…` opens. The server sends it open; scripts make it modal, which keeps the focus inside
 * and gives it back afterwards. `email`: whom a code was sent to.
 */
export function SignInDialog({
  mode,
  email,
  discordReady,
}: {
  mode: SignInMode | null;
  email: string | null;
  discordReady: boolean;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const signInPath = useSignInPath();
  const shown = useLingering(mode, FADE_MS);
  const mounted = shown !== null;
  const fade = `transition-opacity duration-200 ${mode === null ? 'opacity-0' : 'starting:opacity-0'}`;

  useEffect(() => {
    const element = dialog.current;
    if (!mounted || element === null) return;
    // `showModal` refuses a dialog that is open already, as the server sends it.
    element.removeAttribute('open');
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      // By now the dialog has left the page, and the browser has nothing to give the focus back from.
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, [mounted]);

  if (shown === null) return null;
  const leave = () => navigate(withoutDialog(pathname, search), { replace: true, preventScrollReset: true });

  return (
    <>
      <dialog
        ref={dialog}
        open
        aria-labelledby="sign-in-title"
        onCancel={(event) => {
          event.preventDefault();
          leave();
        }}
        onClose={(event) => {
          // Some browsers close on a second Esc without asking.
          if (mode !== null && !event.currentTarget.open) leave();
        }}
        onClick={(event) => {
          if (event.target === event.currentTarget) leave();
        }}
        className={`peer fixed inset-0 z-30 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] max-w-[27rem] overflow-y-auto rounded-card border border-line bg-surface text-ink shadow-card backdrop:bg-transparent ${fade}`}
      >
        <div className="grid gap-5 p-6 sm:p-8">
          <h2 id="sign-in-title" className="pr-10 text-title">
            {HEADINGS[shown]}
          </h2>
          {shown === 'login' ? (
            <>
              <p className="text-soft">Sign in to access your account</p>
              <DiscordSignIn ready={discordReady} />
            </>
          ) : (
            <>
              <h3 className="text-lead">Verify Your Email</h3>
              <VerifyForm email={email} backTo={signInPath('/?auth=login')} />
            </>
          )}
        </div>
        {/* Last, so that opening the dialog puts the focus on what it is for. */}
        <form
          method="dialog"
          className="absolute top-4 right-4"
          onSubmit={(event) => {
            event.preventDefault();
            leave();
          }}
        >
          <button
            aria-label="Close"
            className="grid size-11 cursor-pointer place-items-center rounded-control text-soft hover:text-ink"
          >
            <CloseIcon />
          </button>
        </form>
      </dialog>
      <div
        aria-hidden="true"
        className={`fixed inset-0 z-20 hidden bg-[oklch(0.1_0.02_272/0.6)] peer-open:block ${fade}`}
      />
    </>
  );
}
