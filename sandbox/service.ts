import type { Route } from './http/router';

/**
 * One stand-in. Adding another service means writing one of these and naming it in `start-sandbox.ts`: its routes,
 * its part of `GET /control/state`, and how it forgets everything.
 */
export interface Service {
  name: string;
  routes: Route[];
  state(): unknown;
  reset(): void;
}

/** Counts changes, so that the panel knows when it is out of date. */
export interface Changes {
  mark(): void;
  revision(): number;
}

export function createChanges(): Changes {
  let revision = 0;
  return {
    mark() {
      revision += 1;
    },
    revision: () => revision,
  };
}
