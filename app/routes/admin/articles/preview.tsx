import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData } from '@remix-run/react';
import { DRAFT_ID_FIELD } from '~/components/articles/articles';
import { ArticleCard } from '~/components/news/article-card';
import type { ArticleView } from '~/components/news/article-view';
import { Notice } from '~/components/ui/notice';
import { signedInStyles } from '~/components/page/signed-in-styles';
import { unindexed } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { errorPage, parsePageForm, textField } from '~/http/forms/page-forms.server';
import { readForm } from '~/http/forms/read-form.server';
import { serverContext } from '~/http/server/context.server';
import { failureOf } from '~/http/server/failures.server';
import { articleForm, ARTICLE_FORM_LIMIT_BYTES } from '~/routes/admin/articles/articles.server';
import { readPreview } from '~/routes/site/news/news.server';

type Preview = { article: ArticleView } | { article: null; refusal: string };

const previewForm = articleForm.extend({ [DRAFT_ID_FIELD]: textField });

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  return null;
}

/** Renders what an article's form contains as it would be published. Stores nothing. */
export async function action({ request }: ActionFunctionArgs): Promise<Preview> {
  const viewer = await requireAdmin(request);
  const form = await readForm(request, ARTICLE_FORM_LIMIT_BYTES).catch((error: unknown) => {
    throw errorPage(error);
  });
  const parsed = parsePageForm(form, previewForm);
  if (parsed.status !== 'success') {
    const [refusal = ''] = Object.values(parsed.error ?? {}).flatMap((sentences) => sentences ?? []);
    return { article: null, refusal };
  }
  const { [DRAFT_ID_FIELD]: draftId, ...fields } = parsed.value;
  const id = new URL(request.url).searchParams.get('article') ?? draftId;
  try {
    const { clock } = serverContext();
    return { article: await readPreview({ id, fields, author: viewer.account, clock }) };
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) throw error;
    return { article: null, refusal: failure.message };
  }
}

export const links = signedInStyles;

export const meta: MetaFunction = () => unindexed('Preview');

export default function ArticlePreview() {
  const preview = useActionData<typeof action>();
  return (
    <main id="content" tabIndex={-1} className="wrap py-8 outline-none">
      <div className="mx-auto max-w-[50rem]">
        {preview?.article == null ? (
          <>
            <h1 className="mb-4 text-heading">Preview</h1>
            <Notice kind="error">
              {preview === undefined
                ? 'There is nothing to show. Press Preview in an article’s form.'
                : preview.refusal}
            </Notice>
          </>
        ) : (
          <>
            <p className="mb-5 rounded-control border border-unknown bg-unknown-wash px-4 py-2.5 font-semibold text-unknown">
              This is a preview. Nothing is saved, and only you see it.
            </p>
            <ArticleCard article={preview.article} />
          </>
        )}
      </div>
    </main>
  );
}
