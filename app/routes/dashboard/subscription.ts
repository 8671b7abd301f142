import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { requireMember } from '~/http/auth/session.server';

/** Admins have no subscription; members find theirs on the dashboard. A visitor is sent home. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireMember(request);
  return redirect('/dashboard');
}
