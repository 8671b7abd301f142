import { Link } from '@remix-run/react';
import { buttonClass } from '~/components/ui/button-look';
import { listAddress } from './article-addresses';

/** One step back or on through the list; at its end the step is there and leads nowhere. */
function Step({ to, rel, children }: { to: number | null; rel: 'prev' | 'next'; children: string }) {
  return to === null ? (
    <span aria-disabled="true" role="link" className={`${buttonClass()} cursor-default opacity-60`}>
      {children}
    </span>
  ) : (
    <Link to={listAddress(to)} rel={rel} className={buttonClass()}>
      {children}
    </Link>
  );
}

/** The way through a list of several pages. */
export function PageSteps({ page, totalPages }: { page: number; totalPages: number }) {
  if (totalPages <= 1) return null;
  return (
    <nav aria-label="Pages of the list" className="mt-6 flex flex-wrap items-center justify-between gap-3">
      <Step to={page > 1 ? page - 1 : null} rel="prev">
        Previous
      </Step>
      <p>
        Page {page} of {totalPages}
      </p>
      <Step to={page < totalPages ? page + 1 : null} rel="next">
        Next
      </Step>
    </nav>
  );
}
