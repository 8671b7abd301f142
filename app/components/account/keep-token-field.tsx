import { useHydrated } from '~/components/use-hydrated';

/** Asks a sign-in for the token that scripts keep in local storage; absent without them. */
export function KeepTokenField() {
  return useHydrated() ? <input type="hidden" name="scripts" value="on" /> : null;
}
