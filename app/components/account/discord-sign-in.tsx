import { useState } from 'react';
import { Button } from '~/components/ui/button';
import { ChatIcon } from '~/components/ui/icons';
import { useSignInPath } from './use-sign-in-path';

/**
 * The way in through Discord. A plain form: it leaves the site, so there is nothing for scripts to do better.
 * `ready`: whether this server has Discord sign-in at all.
 */
export function DiscordSignIn({ ready }: { ready: boolean }) {
  const [leaving, setLeaving] = useState(false);
  const signInPath = useSignInPath();
  if (!ready) return <p className="text-soft">Sign-in with Discord is not set up on this server.</p>;
  return (
    <form method="post" action={signInPath('/auth/discord')} onSubmit={() => setLeaving(true)}>
      <Button look="primary" wide pending={leaving}>
        {leaving ? null : <ChatIcon />}
        Sign in with Discord
      </Button>
    </form>
  );
}
