import { redirect, type LoaderFunctionArgs } from '@remix-run/node';
import { requireMember } from '~/http/auth/session.server';

/** The dashboard shows the subscription. Visitors are redirected to the landing page. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireMember(request);
  return redirect('/dashboard');
}
