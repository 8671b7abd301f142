import { z } from 'zod';

const MOST_PER_PAGE = 100;
const PAGE_RULE = 'page is a whole number from 1.';
const LIMIT_RULE = `limit is a whole number from 1 to ${MOST_PER_PAGE}.`;

/** The search parameters of a list that comes in pages; `usual` articles on each unless asked otherwise. */
export function pageQuery(usual: number) {
  return z.object({
    page: z
      .string()
      .regex(/^\d{1,15}$/, PAGE_RULE)
      .transform(Number)
      .refine((page) => page >= 1, PAGE_RULE)
      .default(1),
    limit: z
      .string()
      .regex(/^\d{1,3}$/, LIMIT_RULE)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= MOST_PER_PAGE, LIMIT_RULE)
      .default(usual),
  });
}
