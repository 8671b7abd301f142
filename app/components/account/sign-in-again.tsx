import { Button } from '~/components/ui/button';
import { useLeaving } from '~/components/forms/use-leaving';

/** Starts another sign-in with Discord. A GET, which needs no Origin header. `next`: the path to open afterwards. */
export function SignInAgain({ next }: { next: string | null }) {
  const [leaving, leave] = useLeaving();
  return (
    <form method="get" action="/api/auth/discord/login" onSubmit={leave}>
      {next === null ? null : <input type="hidden" name="next" value={next} />}
      <Button variant="primary" pending={leaving}>
        Sign in with Discord again
      </Button>
    </form>
  );
}
