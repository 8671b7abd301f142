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

/** The link to a neighbouring page; disabled if there is none, in the same place, so that nothing moves from page to page. */
function Step({ name, to }: { name: 'Previous' | 'Next'; to: string | null }) {
  return to === null ? (
    <span aria-disabled="true" role="link" className={`${buttonClass()} cursor-default opacity-60`}>
      {name}
    </span>
  ) : (
    <Link to={to} rel={name === 'Next' ? 'next' : 'prev'} className={buttonClass()}>
      {name}
    </Link>
  );
}

/**
 * Links to the previous and the next page of a list, and the number of this one; nothing for a single page. `label` names
 * the list for screen readers; `addressOf` gives the address of a page.
 */
export function PageLinks({ label, page, totalPages, addressOf }: PageLinksProps) {
  if (totalPages <= 1) return null;
  return (
    <nav aria-label={label} className="flex flex-wrap items-center gap-3">
      <Step name="Previous" to={page === 1 ? null : addressOf(page - 1)} />
      <Step name="Next" to={page === totalPages ? null : addressOf(page + 1)} />
      <p>
        Page {page} of {totalPages}
      </p>
    </nav>
  );
}
