import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutletContext } from '@remix-run/react';
import { articleOperations } from '#shared/news/article-operations';
import { ArticleForm } from '~/components/articles/article-form';
import {
  articleAddress,
  ARTICLE_FAILED,
  DRAFT_GONE,
  DRAFT_ID_FIELD,
  VERSION_FIELD,
} from '~/components/articles/articles';
import { skipRevalidationOnRejection, stayOnArticle } from '~/components/articles/stay-on-article';
import { QueuePanel } from '~/components/articles/upload-queue';
import { useNewArticleDraft } from '~/components/articles/use-new-article-draft';
import type { UploadQueue } from '~/components/articles/use-upload-queue';
import { useForms } from '~/components/forms/use-forms';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import type { Failure } from '~/http/server/failures.server';
import { operationForm, badRequest, pageForms, textField } from '~/http/forms/page-forms.server';
import { newsIsOn } from '~/routes/site/site-state.server';
import {
  articleForm,
  ARTICLE_FORM_LIMIT_BYTES,
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

/** Opens the edit page of the new article. */
function opened({ id }: { id: string }, _: unknown, { request }: { request: Request }) {
  return { to: articleAddress(id, pageNumberOf(request)) };
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
    save: operationForm(articleOperations.create, {
      schema: newArticleForm,
      input({ [DRAFT_ID_FIELD]: id, [VERSION_FIELD]: expectedVersion, ...values }) {
        return { ...savedFields(values), draft: id === '' ? undefined : { id, expectedVersion } };
      },
      outcome: opened,
      refused,
    }),
    overwrite: operationForm(articleOperations.create, {
      schema: newArticleForm,
      input({ [DRAFT_ID_FIELD]: id, ...values }) {
        if (id === '') throw badRequest();
        return { ...savedFields(values), draft: { id } };
      },
      outcome: opened,
      refused,
    }),
  },
);

export const action = forms.action;

export const clientAction = stayOnArticle;

export const shouldRevalidate = skipRevalidationOnRejection;

export const meta: MetaFunction = () => titled('Create New Article');

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
