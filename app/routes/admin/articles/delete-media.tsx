import { redirect, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { FILE_DELETED, mediaOperations } from '#shared/news/media/media-operations';
import { findArticle } from '#shared/news/find-article';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import { articleAddress, MEDIA_DELETE_FAILED } from '~/components/articles/articles';
import { DELETE_MEDIA_TITLE, DeleteMediaText } from '~/components/articles/delete-dialogs';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { DeleteForm } from '~/components/forms/confirmations';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, noFields, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { pageNumberOf } from '~/components/ui/page-links';

const FAILED = { delete: MEDIA_DELETE_FAILED } as const;

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const page = pageNumberOf(request);
  const article = await findArticle(serverContext().db, params.id ?? '');
  const media = article?.media.find(({ id }) => id === params.mediaId);
  if (article === null || media === undefined) throw redirect(articleAddress(params.id ?? '', page));
  return { articleId: article.id, name: media.originalName, page };
}

const forms = pageForms(
  {
    path: ({ request, params }) => articleAddress(params.id ?? '', pageNumberOf(request)),
    access: requireAdmin,
    failed: FAILED,
  },
  {
    delete: operationForm(mediaOperations.delete, {
      schema: noFields,
      input: (_, { params }) => ({ id: params.mediaId ?? '' }),
      outcome: ({ versions }, _, { params: { mediaId } }) => ({ details: { mediaId, versions } }),
      // Already deleted, perhaps by another admin.
      caught: ({ kind }, _, { params: { mediaId } }) =>
        kind === 'NotFound' ? { message: FILE_DELETED, details: { mediaId } } : null,
      refused: () => MEDIA_DELETE_FAILED,
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled('Delete File');

export default function DeleteMedia() {
  const { articleId, name, page } = useLoaderData<typeof loader>();
  return (
    <div className="grid gap-4 pb-6">
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        {DELETE_MEDIA_TITLE}
      </h2>
      <DeleteMediaText name={name} />
      <DeleteForm leaveTo={articleAddress(articleId, page)} label="Delete file" />
    </div>
  );
}
