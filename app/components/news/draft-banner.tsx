import { Link } from '@remix-run/react';
import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { WarningIcon } from '~/components/ui/icons';

/** Tells an admin that nobody else sees this page. */
export function DraftBanner({ id }: { id: string }) {
  return (
    <div className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-1 rounded-control border border-unknown bg-unknown-wash px-4 py-2.5 text-unknown">
      <WarningIcon />
      <p className="flex-1 font-semibold">This is a draft. Only admins can see it.</p>
      <Link to={`/dashboard/articles/${id}`} className={LINK_BUTTON_CLASS}>
        Edit this article
      </Link>
    </div>
  );
}
