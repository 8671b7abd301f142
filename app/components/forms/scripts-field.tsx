import { useHydrated } from '~/components/use-hydrated';

/** Tells the action that scripts will take its answer; absent without them. */
export function ScriptsField() {
  return useHydrated() ? <input type="hidden" name="scripts" value="on" /> : null;
}
