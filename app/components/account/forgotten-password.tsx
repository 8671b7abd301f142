import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';

/**
 * What to do without the password, since it cannot be reset: the account of an email address also opens with Discord.
 * `discordReady`: whether this server has Discord sign-in at all.
 */
export function ForgottenPassword({ discordReady }: { discordReady: boolean }) {
  return (
    <details className="text-small text-soft">
      <summary className={`${LINK_BUTTON_CLASS} list-none [&::-webkit-details-marker]:hidden`}>
        Forgot your password?
      </summary>
      <p className="mt-1">
        {discordReady
          ? 'Sign in with Discord, with a Discord account that has the same email address and has verified it. It opens the same account here.'
          : 'Passwords cannot be reset yet, and sign-in with Discord is not set up on this server. Please ask the people who run it.'}
      </p>
    </details>
  );
}
