import { newsPath } from '~/components/site/site-links';
import { Link, buttonClass } from '~/components/ui/button';

/** The maximum number of consecutive page links. */
const MAX_NUMBERS = 5;

/**
 * Returns the pages that a list links to, at most five consecutive ones:
 *
 *   page 1 of 3   1 2 3
 *   page 1 of 9   1 2 3 4 5 … 9
 *   page 4 of 9   2 3 4 5 6 … 9
 *   page 8 of 9   5 6 7 8 9
 */
export function pageNumbers({ page, totalPages }: { page: number; totalPages: number }) {
  const count = Math.min(MAX_NUMBERS, totalPages);
  const centred = page - Math.floor(MAX_NUMBERS / 2);
  const first = Math.max(1, Math.min(centred, totalPages - count + 1));
  const numbers = Array.from({ length: count }, (_, at) => first + at);
  return {
    /** Consecutive pages, with the current one in the middle if possible. */
    numbers /** The last page, shown after an ellipsis; null if `numbers` contains it. */,
    last: (numbers.at(-1) ?? 0) < totalPages ? totalPages : null,
  };
}

const NUMBER_CLASS =
  'grid min-h-11 min-w-11 place-items-center rounded-control border px-2 font-semibold no-underline';

function NumberLink({ page, current }: { page: number; current: boolean }) {
  return (
    <li>
      <Link
        to={newsPath(page)}
        prefetch="intent"
        aria-label={`Page ${page}`}
        aria-current={current ? 'page' : undefined}
        className={`${NUMBER_CLASS} ${current ? 'border-transparent bg-brand text-brand-ink' : 'border-line bg-surface hover:border-soft'}`}
      >
        {page}
      </Link>
    </li>
  );
}

/** The link to a neighbouring page; disabled if there is none. */
function Step({ name, to }: { name: 'Previous' | 'Next'; to: number | null }) {
  return to === null ? (
    <span aria-disabled="true" role="link" className={`${buttonClass()} cursor-default opacity-60`}>
      {name}
    </span>
  ) : (
    <Link
      to={newsPath(to)}
      prefetch="intent"
      rel={name === 'Next' ? 'next' : 'prev'}
      className={buttonClass()}
    >
      {name}
    </Link>
  );
}

/** Links to the other pages; nothing for a single page. */
export function Pagination({ page, totalPages }: { page: number; totalPages: number }) {
  if (totalPages <= 1) return null;
  const { numbers, last } = pageNumbers({ page, totalPages });
  return (
    <nav
      aria-label="Pages"
      className="mt-10 flex flex-wrap items-center justify-between gap-x-6 gap-y-4 border-t border-line pt-6"
    >
      <p className="text-small text-soft">
        Page {page} of {totalPages}
      </p>
      <ol className="flex flex-wrap items-center gap-1.5">
        {numbers.map((number) => (
          <NumberLink key={number} page={number} current={number === page} />
        ))}
        {last === null ? null : (
          <>
            <li aria-hidden="true" className="text-soft">
              …
            </li>
            <NumberLink page={last} current={false} />
          </>
        )}
      </ol>
      <p className="flex gap-2">
        <Step name="Previous" to={page > 1 ? page - 1 : null} />
        <Step name="Next" to={page < totalPages ? page + 1 : null} />
      </p>
    </nav>
  );
}
