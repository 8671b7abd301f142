import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData, useOutletContext } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { articleAddress, listPageOf } from '~/components/articles/article-addresses';
import { isArticleAnswer } from '~/components/articles/article-answer';
import { DRAFT_ID_FIELD } from '~/components/articles/article-draft';
import { ArticleForm } from '~/components/articles/article-form';
import { DRAFT_GONE } from '~/components/articles/article-texts';
import { QueuePanel } from '~/components/articles/queue-panel';
import { stayOnArticle } from '~/components/articles/stay-on-article';
import { useNewArticleDraft } from '~/components/articles/use-new-article-draft';
import type { UploadQueue } from '~/components/articles/use-upload-queue';
import {
  createFromForm,
  readArticleForm,
  unreadableArticle,
  updateFromForm,
} from '~/routes/admin/articles/article-forms.server';
import { newsIsOn } from '~/http/site/news-setting.server';
import { unknownIntent } from '~/http/forms/page-form.server';
import { requireAdmin } from '~/http/auth/session.server';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return { newsOn: await newsIsOn() };
}

export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  let form: URLSearchParams;
  try {
    form = await readArticleForm(request);
  } catch (error) {
    return unreadableArticle(error);
  }
  const intent = form.get('intent');
  // An image in its text may have made it a draft already, which is then what is saved.
  const id = form.get(DRAFT_ID_FIELD) ?? '';
  if (intent !== 'save' && !(intent === 'overwrite' && id !== '')) throw unknownIntent();
  const saved =
    id === ''
      ? await createFromForm(request, form, account)
      : await updateFromForm(request, form, {
          id,
          account,
          overwrite: intent === 'overwrite',
          goneText: DRAFT_GONE,
        });
  if (isArticleAnswer(saved)) return saved;
  const page = listPageOf(new URL(request.url).searchParams);
  return redirect(articleAddress(saved.id, page, 'created'), 303);
}

export const clientAction = stayOnArticle;

export const meta: MetaFunction = () => [{ title: `Create New Article · ${PRODUCT_NAME}` }];

export default function CreateArticle() {
  const answer = useActionData<typeof action>();
  const uploads = useOutletContext<UploadQueue>();
  const { newsOn } = useLoaderData<typeof loader>();
  const draft = useNewArticleDraft(answer);
  return (
    <ArticleForm
      article={null}
      answer={answer}
      done={null}
      busy={uploads.files.length > 0}
      newsOn={newsOn}
      uploadImage={draft.uploadImage}
      draft={draft}
    >
      <QueuePanel uploads={uploads} />
    </ArticleForm>
  );
}
