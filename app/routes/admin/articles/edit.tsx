import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import {
  isRouteErrorResponse,
  useLoaderData,
  useLocation,
  useOutletContext,
  useRouteError,
} from '@remix-run/react';
import { useCallback, useRef } from 'react';
import { articleOperations } from '#shared/news/article-operations';
import { articleVersion } from '#shared/news/save-article.server';
import { findArticle } from '#shared/news/find-article';
import { ArticleForm, type ArticleFormHandle } from '~/components/articles/article-form';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import {
  articleAddress,
  ARTICLE_FAILED,
  LOAD_FAILED,
  VERSION_FIELD,
  type MediaDeletion,
} from '~/components/articles/articles';
import { sendTextImage } from '~/components/articles/media-api';
import { MediaPanel } from '~/components/articles/media-panel';
import { skipRevalidationOnRejection, stayOnArticle } from '~/components/articles/stay-on-article';
import type { UploadQueue } from '~/components/articles/use-upload-queue';
import type { UploadImage } from '~/components/editor/images/image-uploads';
import { useForms } from '~/components/forms/use-forms';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { requireAdmin } from '~/http/auth/session.server';
import type { Failure } from '~/http/server/failures.server';
import { operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { newsIsOn } from '~/routes/site/site-state.server';
import {
  articleForm,
  ARTICLE_FORM_LIMIT_BYTES,
  savedFields,
  saveRefused,
} from '~/routes/admin/articles/articles.server';
import { mediaForms, UPLOAD } from '~/routes/admin/articles/media.server';
import { pageNumberOf } from '~/components/ui/page-links';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const article = await findArticle(serverContext().db, params.id ?? '');
  if (article === null) throw data(null, { status: 404 });
  const { id, title, content, excerpt, published, featured, featuredImageId, media } = article;
  return {
    article: {
      id,
      title,
      content,
      excerpt,
      published,
      featured,
      featuredImageId,
      media,
      version: articleVersion(article),
    },
    newsOn: await newsIsOn(),
    page: pageNumberOf(request),
  };
}

const refused = (failure: Failure) => saveRefused(failure);

/** The forms of the article and of its images and videos. */
const forms = pageForms(
  {
    path: ({ request, params }) => articleAddress(params.id ?? '', pageNumberOf(request)),
    access: requireAdmin,
    failed: ARTICLE_FAILED,
    limitBytes: ARTICLE_FORM_LIMIT_BYTES,
    unreadable: 'save',
    files: UPLOAD,
  },
  {
    save: operationForm(articleOperations.save, {
      schema: articleForm,
      input: (values, { params }) => ({
        id: params.id ?? '',
        expectedVersion: values[VERSION_FIELD],
        ...savedFields(values),
      }),
      refused,
    }),
    // Replaces a newer save of another admin.
    overwrite: operationForm(articleOperations.save, {
      schema: articleForm,
      input: (values, { params }) => ({ id: params.id ?? '', ...savedFields(values) }),
      refused,
    }),
    ...mediaForms,
  },
);

export const action = forms.action;

export const clientAction = stayOnArticle;

export const shouldRevalidate = skipRevalidationOnRejection;

export const meta: MetaFunction = () => titled('Edit Article');

export default function EditArticle() {
  const { article, newsOn, page } = useLoaderData<typeof loader>();
  const { latest } = useForms(['save', 'overwrite']);
  const uploads = useOutletContext<UploadQueue>();
  const uploadImage = useCallback<UploadImage>(
    (file, report, signal) => sendTextImage(article.id, file, { report, signal }),
    [article.id],
  );
  const form = useRef<ArticleFormHandle>(null);
  const onDeleted = useCallback((deletion: MediaDeletion) => form.current?.mediaDeleted(deletion), []);
  return (
    <div key={article.id}>
      <ArticleForm
        ref={form}
        article={article}
        newsOn={newsOn}
        result={latest}
        uploadImage={uploadImage}
        busy={uploads.files.some(({ state }) => state !== 'failed')}
      />
      <MediaPanel
        articleId={article.id}
        page={page}
        media={article.media}
        featuredImageId={article.featuredImageId}
        uploads={uploads}
        onDeleted={onDeleted}
      />
    </div>
  );
}

/** Shown when the article does not exist (404) or could not be loaded. */
export function ErrorBoundary() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const { pathname, search } = useLocation();
  return (
    <div className="grid gap-4 pb-6">
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        Edit Article
      </h2>
      <Notice kind="error">{LOAD_FAILED}</Notice>
      {missing ? (
        <p className="text-soft">It may have been deleted. Go back to the list and check.</p>
      ) : (
        <>
          <p className="text-soft">The article could not be loaded. Try again in a moment.</p>
          <p>
            <ButtonLink href={pathname + search}>Try again</ButtonLink>
          </p>
        </>
      )}
    </div>
  );
}
