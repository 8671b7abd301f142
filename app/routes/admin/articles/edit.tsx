import {
  data,
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import {
  isRouteErrorResponse,
  useActionData,
  useLoaderData,
  useLocation,
  useOutletContext,
  useRouteError,
} from '@remix-run/react';
import { useCallback, useRef } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { articleVersion } from '#shared/news/article-version.server';
import { findArticle } from '#shared/news/find-article';
import { MEDIA_FILE } from '#shared/news/media-rules';
import { articleAddress, listPageOf } from '~/components/articles/article-addresses';
import { isArticleAnswer } from '~/components/articles/article-answer';
import { ArticleForm, type ArticleFormHandle } from '~/components/articles/article-form';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import { doneText, LOAD_FAILED } from '~/components/articles/article-texts';
import { keepWhenRefused } from '~/components/articles/keep-when-refused';
import { MediaPanel } from '~/components/articles/media-panel';
import type { MediaDeletion } from '~/components/articles/media-answer';
import { stayOnArticle } from '~/components/articles/stay-on-article';
import { sendTextImage } from '~/components/articles/send-text-image';
import type { UploadQueue } from '~/components/articles/use-upload-queue';
import type { UploadImage } from '~/components/editor/image-uploads';
import { ButtonLink } from '~/components/ui/button-link';
import { Notice } from '~/components/ui/notice';
import {
  readArticleForm,
  unreadableArticle,
  updateFromForm,
} from '~/routes/admin/articles/article-forms.server';
import {
  addArrivedFiles,
  workMediaForm,
  type MediaOutcome,
} from '~/routes/admin/articles/media-forms.server';
import { newsIsOn } from '~/http/site/news-setting.server';
import { unknownIntent, withPageUpload } from '~/http/forms/page-form.server';
import { isMultipart } from '~/http/forms/read-upload.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';

/** As many files as one form without scripts may bring. */
const FILES_AT_ONCE = 10;

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const article = await findArticle(serverContext().db, params.id ?? '');
  if (article === null) throw data(null, { status: 404 });
  const { searchParams } = new URL(request.url);
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
    page: listPageOf(searchParams),
    done: doneText(searchParams.get('done')),
  };
}

async function takeFiles(request: Request, named: { articleId: string; actor: { userId: string } }) {
  const shape = { files: { file: { ...MEDIA_FILE, max: FILES_AT_ONCE } } };
  return withPageUpload(request, shape, async ({ fields, files }) => {
    if (fields.get('intent') !== 'upload') throw unknownIntent();
    return addArrivedFiles(request, files, named);
  });
}

/** The article's own form, and those of its images and videos, told apart by their button. */
export async function action({ request, params }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const id = params.id ?? '';
  const named = { articleId: id, actor: { userId: account.id } };
  const page = listPageOf(new URL(request.url).searchParams);

  let form = new URLSearchParams();
  let outcome: MediaOutcome | null;
  if (isMultipart(request)) {
    outcome = await takeFiles(request, named);
  } else {
    try {
      form = await readArticleForm(request);
    } catch (error) {
      return unreadableArticle(error);
    }
    const intent = form.get('intent');
    if (intent === 'save' || intent === 'overwrite') {
      const saved = await updateFromForm(request, form, { id, account, overwrite: intent === 'overwrite' });
      return isArticleAnswer(saved) ? saved : redirect(articleAddress(id, page, 'saved'), 303);
    }
    outcome = await workMediaForm(request, form, named);
  }
  if (outcome === null) throw unknownIntent();
  if ('refused' in outcome) return outcome.refused;
  if (form.get('scripts') !== 'on') return redirect(articleAddress(id, page, outcome.done), 303);
  return { intent: form.get('intent') ?? '', ok: true, message: doneText(outcome.done) ?? '' };
}

export const clientAction = stayOnArticle;

export const shouldRevalidate = keepWhenRefused;

export const meta: MetaFunction = () => [{ title: `Edit Article · ${PRODUCT_NAME}` }];

export default function EditArticle() {
  const { article, newsOn, page, done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const uploads = useOutletContext<UploadQueue>();
  const uploadImage = useCallback<UploadImage>(
    (file, report, signal) => sendTextImage(article.id, file, { report, signal }),
    [article.id],
  );
  const form = useRef<ArticleFormHandle>(null);
  const onDeleted = useCallback((deletion: MediaDeletion) => form.current?.mediaDeleted(deletion), []);
  const ofArticle = isArticleAnswer(answer) ? answer : undefined;
  return (
    <div key={article.id}>
      <ArticleForm
        ref={form}
        article={article}
        newsOn={newsOn}
        answer={ofArticle}
        done={answer === undefined ? done : null}
        uploadImage={uploadImage}
        busy={uploads.files.some(({ state }) => state !== 'failed')}
      />
      <MediaPanel
        articleId={article.id}
        page={page}
        media={article.media}
        featuredImageId={article.featuredImageId}
        answer={answer === undefined || isArticleAnswer(answer) ? null : answer}
        uploads={uploads}
        onDeleted={onDeleted}
      />
    </div>
  );
}

/** The article does not exist, or it could not be loaded: only the first is said of an article that is not there. */
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
