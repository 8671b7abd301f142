/**
 * What to do without the password, since it cannot be reset: the account of an email address also opens with Discord.
 * `discordReady`: whether this server has Discord sign-in at all.
 */
export function ForgottenPassword({ discordReady }: { discordReady: boolean }) {
  return (
    <p className="text-small text-soft">
      <strong className="font-semibold text-ink">Forgot your password?</strong>{' '}
      {discordReady
        ? 'Sign in with Discord, with a Discord account that has the same email address and has verified it. It opens the same account here.'
        : 'Passwords cannot be reset yet, and sign-in with Discord is not set up on this server. Please ask the people who run it.'}
    </p>
  );
}
