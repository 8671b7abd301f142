/** The most numbered links in a row. */
const MOST_NUMBERS = 5;

export interface PageNumbers {
  /** Neighbouring pages, this one in their middle where there is room. */
  numbers: number[];
  /** The last page, when the numbers do not reach it; an ellipsis stands between. */
  last: number | null;
}

/**
 * Which pages a list links to. The numbers slide with the page, five at most:
 *
 *   page 1 of 3   1 2 3
 *   page 1 of 9   1 2 3 4 5 … 9
 *   page 4 of 9   2 3 4 5 6 … 9
 *   page 8 of 9   5 6 7 8 9
 */
export function pageNumbers({ page, totalPages }: { page: number; totalPages: number }): PageNumbers {
  const count = Math.min(MOST_NUMBERS, totalPages);
  const middled = page - Math.floor(MOST_NUMBERS / 2);
  const first = Math.max(1, Math.min(middled, totalPages - count + 1));
  const numbers = Array.from({ length: count }, (_, at) => first + at);
  return { numbers, last: (numbers.at(-1) ?? 0) < totalPages ? totalPages : null };
}

/** Where a page of the list is: the first one has no number. */
export function newsPath(page: number): string {
  return page === 1 ? '/news' : `/news?page=${page}`;
}
