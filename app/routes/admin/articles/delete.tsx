import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { ARTICLE_DELETED, articleOperations } from '#shared/news/article-operations';
import { findArticle } from '#shared/news/find-article';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import { DELETE_FAILED, listAddress } from '~/components/articles/articles';
import { DELETE_ARTICLE_TITLE, DeleteArticleText } from '~/components/articles/delete-dialogs';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DeleteForm } from '~/components/forms/confirmations';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { pageNumberOf } from '~/components/ui/page-links';

const FAILED = { delete: DELETE_FAILED } as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const page = pageNumberOf(request);
  const article = await findArticle(serverContext().db, params.id ?? '');
  if (article === null) throw redirect(listAddress(page));
  return { title: article.title, page };
}

const forms = pageForms(
  {
    path: ({ request }) => listAddress(pageNumberOf(request)),
    access: requireAdmin,
    failed: FAILED,
  },
  {
    delete: operationForm(articleOperations.delete, {
      schema: noFields,
      input: (_, { params }) => ({ id: params.id ?? '' }),
      // Already deleted, perhaps by another admin.
      caught: ({ kind }) => (kind === 'NotFound' ? { message: ARTICLE_DELETED } : null),
      refused: () => DELETE_FAILED,
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled('Delete Article');

export default function DeleteArticle() {
  const { title, page } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-4 pb-6">
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        {DELETE_ARTICLE_TITLE}
      </h2>
      <DeleteArticleText title={title} />
      <DeleteForm leaveTo={listAddress(page)} label="Delete article" />
    </div>
  );
}
