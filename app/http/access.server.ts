import { DomainError } from '#shared/errors';

/** Somebody who showed no credentials, and needs none. */
export interface Visitor {
  kind: 'visitor';
}

/**
 * Who passes which door. A level of access is a key; its value is what a call behind that door knows about
 * its caller. Accounts add theirs here, and the compiler then asks for the rest.
 */
export interface Callers {
  public: Visitor;
}

export type Access = keyof Callers;

/** Lets a request through a door, or throws `NotAuthenticated` or `Forbidden`. */
export type DecideAccess = <Level extends Access>(level: Level, request: Request) => Promise<Callers[Level]>;

const DOORS: { [Level in Access]: (request: Request) => Promise<Callers[Level]> } = {
  public: async () => ({ kind: 'visitor' }),
};

/** The one place that decides who may call. A door that is not listed stays shut. */
export const decideAccess: DecideAccess = async (level, request) => {
  if (!Object.hasOwn(DOORS, level)) {
    throw new DomainError('NotAuthenticated', { code: 'not_authenticated', message: 'Not authenticated' });
  }
  return DOORS[level](request);
};
