import { data } from '@remix-run/node';
import {
  findCheckDetails,
  findNeighbours,
  type CheckDetails,
} from '#shared/monitor/checks/reading/check-details';
import { monitorOperations } from '#shared/monitor/monitor-operations';
import { productOperations } from '#shared/monitor/products/product-operations';
import type { Watch } from '#shared/monitor/watches/watches';
import { JUDGE_FAILED } from '~/components/monitor/check/judge-again';
import { beginningOf } from '~/components/monitor/check/raw-response';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { watchOrRedirect } from '../watch-page.server';

interface Params {
  slug?: string | undefined;
  checkId?: string | undefined;
}

/** The watch and the check of the address, with the response body. Throws 404 for an unknown check. */
async function requireCheck({ slug, checkId = '' }: Params): Promise<{ watch: Watch; check: CheckDetails }> {
  const watch = await watchOrRedirect(slug);
  const check = await findCheckDetails(serverContext().db, { watchId: watch.id, checkId });
  if (check === null) throw data(null, { status: 404 });
  return { watch, check };
}

/** Everything that the page of a check shows. Throws 404 for an unknown check. */
export async function readCheckPage(params: Params) {
  const { watch, check } = await requireCheck(params);
  const { body, ...facts } = check;
  const neighbours = await findNeighbours(serverContext().db, { watchId: watch.id, ...check });
  return {
    watch: { slug: watch.slug, title: watch.title },
    check: facts,
    response: { checkId: check.id, length: check.bodyLength, beginning: beginningOf(body) },
    neighbours,
  };
}

/** The stored response of a check; null once it is no longer stored. Throws 404 for an unknown check. */
export async function readPageText(params: Params): Promise<string | null> {
  return (await requireCheck(params)).check.body;
}

export const checkForms = pageForms(
  { path: ({ request }) => new URL(request.url).pathname, access: requireAdmin, failed: JUDGE_FAILED },
  {
    judge: operationForm(monitorOperations.judge, {
      schema: noFields,
      input: async (_, { params }) => ({ checkId: (await requireCheck(params)).check.id }),
      outcome: (judgement) => ({ stay: true, details: judgement }),
    }),
    wrong: operationForm(productOperations.addCase, {
      schema: productOperations.addCase.input.omit({ checkId: true }),
      input: async (fields, { params }) => ({ ...fields, checkId: (await requireCheck(params)).check.id }),
    }),
  },
);
