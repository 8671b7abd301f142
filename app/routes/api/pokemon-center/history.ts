import { z } from 'zod';
import { DomainError } from '#shared/errors';
import { HISTORY_PAGE, listChecks, LONGEST_HISTORY_HOURS } from '#shared/monitor/list-checks';
import { monitorCheckSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { HttpRefusal } from '~/http/failures.server';
import { serverContext } from '~/http/server/context.server';

/** A whole number from 1 to `most`, as text. */
function count(name: string, most: number, usual: number) {
  const rule = `${name} is a whole number from 1 to ${most}.`;
  return z
    .string()
    .regex(/^\d{1,4}$/, rule)
    .transform(Number)
    .refine((number) => number >= 1 && number <= most, rule)
    .default(usual);
}

/** A check that does not exist is a fault of the query, like any other value that a parameter cannot have. */
function badQuery(error: DomainError): HttpRefusal {
  const { code, message, fieldErrors } = error;
  return new HttpRefusal({ status: 400, code, message, ...(fieldErrors && { errors: fieldErrors }) });
}

const api = endpoint('/api/pokemon-center/history', {
  GET: call({
    summary: 'A page of the checks of the last hours, newest first, without the pages they saw',
    access: 'admin',
    query: z.object({
      hours: count('hours', LONGEST_HISTORY_HOURS, 24),
      limit: count('limit', HISTORY_PAGE.most, HISTORY_PAGE.usual),
      before: z
        .string()
        .min(1, 'before is the id of a check.')
        .max(100, 'before is the id of a check.')
        .optional()
        .describe('The id of a check: those older than it are listed.'),
    }),
    envelope: 'data',
    answer: z.object({
      history: z.array(monitorCheckSchema),
      next: z.string().nullable().describe('The `before` of the next page; null on the last one.'),
    }),
    async run({ query }) {
      const { db, clock } = serverContext();
      try {
        const { checks, next } = await listChecks(db, { ...query, clock });
        return { history: checks, next };
      } catch (error) {
        throw error instanceof DomainError && error.code === 'unknown_check' ? badQuery(error) : error;
      }
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
