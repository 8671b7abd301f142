import { useEffect, useState, useRef } from 'react';
import { useLocation, useNavigate } from '@remix-run/react';
import { useModal } from '~/components/ui/dialogs';
import { CloseIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { DiscordSignIn } from './login-forms';
import { AUTH_PARAMETER, type SignInMode } from './sign-in-mode';
import { useSignInPath } from './use-sign-in-path';
import { VerifyForm } from './verify-form';

/** Returns the value; after it became null, its last value for another `ms` milliseconds, for a fade-out. */
function useLingering<Value>(value: Value | null, ms: number): Value | null {
  const [last, setLast] = useState(value);
  if (value !== null && value !== last) setLast(value);
  useEffect(() => {
    if (value !== null) return;
    const timer = setTimeout(() => setLast(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value ?? last;
}

const FADE_MS = 200;
/** The browser was signed in before. */
const ENDED = 'ended';

const HEADINGS: Record<SignInMode, string> = { login: 'Welcome Back', verify: 'Verify Email' };

function withoutDialog(pathname: string, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.delete(AUTH_PARAMETER);
  parameters.delete(ENDED);
  return parameters.size === 0 ? pathname : `${pathname}?${parameters}`;
}

interface SignInDialogProps {
  mode: SignInMode | null;
  email: string | null;
  discordReady: boolean;
}

/**
 * The dialog that `/?auth=…` opens. The server renders it open; scripts make it modal. `email`: the address that a code
 * was sent to. `discordReady`: whether Discord login is configured.
 */
export default function SignInDialog({ mode, email, discordReady }: SignInDialogProps) {
  const shown = useLingering(mode, FADE_MS);
  if (shown === null) return null;
  return <OpenDialog shown={shown} closing={mode === null} email={email} discordReady={discordReady} />;
}

interface OpenDialogProps {
  shown: SignInMode;
  /** It fades out. */
  closing: boolean;
  email: string | null;
  discordReady: boolean;
}

function OpenDialog({ shown, closing, email, discordReady }: OpenDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const signInPath = useSignInPath();
  useModal(dialog);
  const fade = `transition-opacity duration-200 ${closing ? 'opacity-0' : 'starting:opacity-0'}`;
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
          // Some browsers close the dialog on a second Esc without a cancel event.
          if (!closing && !event.currentTarget.open) leave();
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
              {new URLSearchParams(search).has(ENDED) ? (
                <Notice kind="error">
                  Your session has ended. If you were sending something, it was not saved. After the sign-in
                  you come back to the page that you had open.
                </Notice>
              ) : null}
              <DiscordSignIn ready={discordReady} />
            </>
          ) : (
            <>
              <h3 className="text-lead">Verify Your Email</h3>
              <VerifyForm email={email} backTo={signInPath('/?auth=login')} />
            </>
          )}
        </div>
        {/* Last in the dialog, so that the first control of the content gets the focus. */}
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
