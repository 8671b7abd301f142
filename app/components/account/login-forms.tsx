import { useEffect, useRef, type ReactNode } from 'react';
import { useLeaving } from '~/components/forms/use-leaving';
import { Button } from '~/components/ui/button';
import { ChevronIcon, icon } from '~/components/ui/icons';
import { useHydrated } from '~/components/ui/use-hydrated';
import { useSignInPath } from './use-sign-in-path';

const ChatIcon = icon(
  'M4.5 13.5 2.5 16V5a1.5 1.5 0 0 1 1.5-1.5h8A1.5 1.5 0 0 1 13.5 5v7a1.5 1.5 0 0 1-1.5 1.5H4.5ZM16 7.5a1.5 1.5 0 0 1 1.5 1.5v8.5L15.5 16H9',
);

/** Requests a token for local storage from the login. Rendered only with scripts, which store it. */
export function KeepTokenField() {
  return useHydrated() ? <input type="hidden" name="scripts" value="on" /> : null;
}

/** Signs in with Discord. A plain form, because it redirects to Discord. `ready`: whether Discord login is configured. */
export function DiscordSignIn({ ready }: { ready: boolean }) {
  const [leaving, leave] = useLeaving();
  const signInPath = useSignInPath();
  if (!ready) return <p className="text-soft">Sign-in with Discord is not set up on this server.</p>;
  return (
    <form method="post" action={signInPath('/auth/discord')} onSubmit={leave}>
      <Button variant="primary" wide pending={leaving}>
        {leaving ? null : <ChatIcon />}
        Sign in with Discord
      </Button>
    </form>
  );
}

/** How to sign in without the password: a Discord account with the same address. `discordReady`: Discord is configured. */
export function ForgottenPassword({ discordReady }: { discordReady: boolean }) {
  return (
    <p className="text-small text-soft">
      <strong className="font-semibold text-ink">Forgot your password?</strong>{' '}
      {discordReady
        ? 'Sign in with a Discord account that has the same, verified email address. It opens the same account here.'
        : 'Passwords cannot be reset yet, and sign-in with Discord is not set up on this server. Please ask the people who run it.'}
    </p>
  );
}

interface PasswordDisclosureProps {
  open: boolean;
  /** Called each time that the visitor opens the forms, and at first if they are open. */
  onOpen?: (() => void) | undefined;
  children: ReactNode;
}

/** The password forms, collapsed unless `open`. */
export function PasswordDisclosure({ open, onOpen, children }: PasswordDisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const onToggle = () => {
    if (details.current?.open === true) onOpen?.();
  };
  // It may have been opened before the scripts ran.
  const opened = useRef(onToggle);
  useEffect(() => opened.current(), []);
  return (
    <details ref={details} open={open} onToggle={onToggle} className="group border-t border-line pt-4">
      <summary className="flex min-h-10 cursor-pointer list-none items-center justify-between gap-3 rounded-control font-semibold [&::-webkit-details-marker]:hidden">
        Use email and password instead
        <span className="transition group-open:rotate-180">
          <ChevronIcon />
        </span>
      </summary>
      <div className="mt-3">{children}</div>
    </details>
  );
}
