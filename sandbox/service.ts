import type { App } from './http/app';

/**
 * A stand-in for one outside service. To add one, write this and name it in `start-sandbox.ts`: its routes, its part of
 * `GET /control/state`, and how to reset it.
 */
export interface Service {
  name: string;
  /** Absent for a service without HTTP. */
  app?: App;
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
