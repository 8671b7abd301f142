import type { LoaderFunctionArgs } from '@remix-run/node';
import { requireAdmin } from '~/http/auth/session.server';
import { textResponse } from '~/http/server/failures.server';
import { readPageText } from '~/routes/admin/monitor/checks/check.server';

/** The stored response of a check as plain text: a browser never renders it as a page. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const text = await readPageText(params);
  if (text === null) return textResponse('The response is no longer stored: it is kept for a week.', 404);
  return textResponse(text, 200);
}
