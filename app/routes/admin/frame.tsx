import type { LoaderFunctionArgs } from '@remix-run/node';
import { Outlet } from '@remix-run/react';
import { revalidateUnlessOffline } from '~/components/forms/offline';
import { PageNav } from '~/components/page/page-nav';
import { Link } from '~/components/ui/button';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { requireAdmin } from '~/http/auth/session.server';

/** Redirects members to their dashboard and visitors to the landing page. Each page checks access itself, too. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return null;
}

export const links = signedInStyles;

export const shouldRevalidate = revalidateUnlessOffline;

/** The frame of the admin pages that are not among the carousel’s sections. */
export default function AdminFrame() {
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-6 outline-none sm:py-8">
        <Link
          to="/dashboard"
          prefetch="intent"
          className="mb-4 inline-flex min-h-11 items-center underline underline-offset-4 hover:text-brand"
        >
          Admin dashboard
        </Link>
        <Outlet />
      </main>
    </>
  );
}
