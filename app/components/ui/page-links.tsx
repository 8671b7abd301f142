import { Link, buttonClass } from './button';

/** The page number of `?page=`; 1 if it is missing or invalid. */
export function pageNumberOf(request: Request): number {
  const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

interface PageLinksProps {
  label: string;
  page: number;
  totalPages: number;
  addressOf: (page: number) => string;
}

/**
 * Links to the previous and the next page of a list, and the number of this one; nothing for a single page. `label` names
 * the list for screen readers; `addressOf` gives the address of a page.
 */
export function PageLinks({ label, page, totalPages, addressOf }: PageLinksProps) {
  if (totalPages === 1) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-3">
      {page === 1 ? null : (
        <Link to={addressOf(page - 1)} rel="prev" className={buttonClass()}>
          Previous
        </Link>
      )}
      <p>
        Page {page} of {totalPages}
      </p>
      {page === totalPages ? null : (
        <Link to={addressOf(page + 1)} rel="next" className={buttonClass()}>
          Next
        </Link>
      )}
    </nav>
  );
}
