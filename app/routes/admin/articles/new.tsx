import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutletContext } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { createArticle } from '#shared/news/save-article.server';
import { ArticleForm } from '~/components/articles/article-form';
import { articleAddress, ARTICLE_FAILED, DRAFT_GONE, DRAFT_ID_FIELD } from '~/components/articles/articles';
import { stayOnArticle } from '~/components/articles/stay-on-article';
import { QueuePanel } from '~/components/articles/upload-queue';
import { useNewArticleDraft } from '~/components/articles/use-new-article-draft';
import type { UploadQueue } from '~/components/articles/use-upload-queue';
import { useForms } from '~/components/forms/use-forms';
import { requireAdmin } from '~/http/auth/session.server';
import type { Failure } from '~/http/server/failures.server';
import { badRequest, pageForms, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { newsIsOn } from '~/http/site/site-state.server';
import {
  articleForm,
  ARTICLE_FORM_LIMIT_BYTES,
  saveArticle,
  savedFields,
  saveRefused,
} from '~/routes/admin/articles/articles.server';
import { pageNumberOf } from '~/components/ui/page-links';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return { newsOn: await newsIsOn() };
}

const newArticleForm = articleForm.extend({ [DRAFT_ID_FIELD]: textField });

const refused = (failure: Failure) => saveRefused(failure, DRAFT_GONE);

/** The edit page of the new article. */
function created(request: Request, id: string) {
  const page = pageNumberOf(request);
  return { to: articleAddress(id, page), message: 'Article created. You can now add images and videos.' };
}

const forms = pageForms(
  {
    path: '/dashboard/articles',
    access: requireAdmin,
    failed: ARTICLE_FAILED,
    limitBytes: ARTICLE_FORM_LIMIT_BYTES,
    unreadable: 'save',
  },
  {
    save: {
      schema: newArticleForm,
      async run(values, { request, viewer }) {
        // Uploading an inline image creates a draft first; then that draft is saved.
        const id = values[DRAFT_ID_FIELD];
        if (id !== '') await saveArticle(values, { id, viewer, overwrite: false });
        if (id !== '') return created(request, id);
        const { db, clock } = serverContext();
        const fields = savedFields(values);
        const article = await createArticle(db, { fields, author: viewer.account, clock });
        return created(request, article.id);
      },
      refused,
    },
    overwrite: {
      schema: newArticleForm,
      async run(values, { request, viewer }) {
        const id = values[DRAFT_ID_FIELD];
        if (id === '') throw badRequest();
        await saveArticle(values, { id, viewer, overwrite: true });
        return created(request, id);
      },
      refused,
    },
  },
);

export const action = forms.action;

export const clientAction = stayOnArticle;

export const meta: MetaFunction = () => [{ title: `Create New Article · ${PRODUCT_NAME}` }];

export default function CreateArticle() {
  const { latest } = useForms(['save', 'overwrite']);
  const uploads = useOutletContext<UploadQueue>();
  const { newsOn } = useLoaderData<typeof loader>();
  const draft = useNewArticleDraft(latest);
  return (
    <ArticleForm
      article={null}
      result={latest}
      busy={uploads.files.length > 0}
      newsOn={newsOn}
      uploadImage={draft.uploadImage}
      draft={draft}
    >
      <QueuePanel uploads={uploads} />
    </ArticleForm>
  );
}
