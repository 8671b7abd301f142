import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { useActionData, useLoaderData, useOutlet } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { AdminSection } from '~/components/admin/admin-section';
import { LoadFailed } from '~/components/admin/load-failed';
import { listAddress, listPageOf, newArticleAddress } from '~/components/articles/article-addresses';
import { ArticleFrame } from '~/components/articles/article-frame';
import { ArticleRow } from '~/components/articles/article-row';
import { doneText, LIST_FAILED, STATUS_FAILED, type Done } from '~/components/articles/article-texts';
import { keepWhenRefused } from '~/components/articles/keep-when-refused';
import { toListedArticle } from '~/components/articles/listed-article';
import { PageSteps } from '~/components/articles/page-steps';
import { useUploadQueue } from '~/components/articles/use-upload-queue';
import type { FormAnswer } from '~/components/forms/form-answer';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { ButtonLink } from '~/components/ui/button-link';
import { Notice } from '~/components/ui/notice';
import { readArticleList } from '~/routes/admin/articles/article-list.server';
import { workArticleSwitch } from '~/routes/admin/articles/article-switches.server';
import { attempt } from '~/http/forms/try-action.server';
import { loadOptional } from '~/http/forms/load-optional.server';
import { newsIsOn } from '~/http/site/news-setting.server';
import { readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { requireAdmin } from '~/http/auth/session.server';

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { searchParams } = new URL(request.url);
  const asked = listPageOf(searchParams);
  const found = await loadOptional(request, () => readArticleList(asked));
  return {
    list: found && { articles: found.articles.map(toListedArticle), totalPages: found.totalPages },
    page: found?.page ?? asked,
    newsOn: await newsIsOn(),
    done: doneText(searchParams.get('done')),
  };
}

/** The switches of the rows. */
export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const intent = form.get('intent') ?? '';
  let done: Done | null = null;
  const refusal = await attempt(request, STATUS_FAILED, async () => {
    done = await workArticleSwitch(intent, {
      id: form.get('articleId') ?? '',
      actor: { userId: account.id },
    });
  });
  if (refusal !== null) return { intent, ok: false, message: STATUS_FAILED } satisfies FormAnswer;
  if (done === null) throw unknownIntent();
  if (form.get('scripts') === 'on') {
    return { intent, ok: true, message: doneText(done) ?? '' } satisfies FormAnswer;
  }
  return redirect(listAddress(listPageOf(new URL(request.url).searchParams), done), 303);
}

export const clientAction = stayWhenLost({
  publish: STATUS_FAILED,
  unpublish: STATUS_FAILED,
  feature: STATUS_FAILED,
  unfeature: STATUS_FAILED,
});

export const shouldRevalidate = keepWhenRefused;

export const meta: MetaFunction = () => [{ title: `Article Management · ${PRODUCT_NAME}` }];

/**
 * Whether an article's form stands alone: it does for whoever came straight to its address, until they go to the list.
 * From the list it opens as a dialog.
 */
function useStandsAlone(formOpen: boolean): boolean {
  const [alone, setAlone] = useState(formOpen);
  if (alone && !formOpen) setAlone(false);
  return alone && formOpen;
}

export default function Articles() {
  const { page } = useLoaderData<typeof loader>();
  const uploads = useUploadQueue();
  const form = useOutlet(uploads);
  const formOpen = form !== null;
  const alone = useStandsAlone(formOpen);
  const { clear } = uploads;
  useEffect(() => {
    if (!formOpen) clear();
  }, [formOpen, clear]);
  return (
    <AdminSection
      heading="Article Management"
      intro="Write, publish and feature the articles in the news section."
    >
      {alone ? null : <ArticleList silent={formOpen} />}
      {formOpen ? (
        <ArticleFrame modal={!alone} backTo={listAddress(page)}>
          {form}
        </ArticleFrame>
      ) : null}
    </AdminSection>
  );
}

/** `silent`: a form lies over it, and says itself what was done. */
function ArticleList({ silent }: { silent: boolean }) {
  const { list, page, newsOn, done } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <>
      <p className="mb-4">
        <ButtonLink href={newArticleAddress(page)} look="primary">
          Create Article
        </ButtonLink>
      </p>
      {answer?.ok === false ? <Notice kind="error">{answer.message}</Notice> : null}
      {done === null || silent || answer !== undefined ? null : <DoneNotice text={done} />}
      {list === null ? (
        <LoadFailed again={listAddress(page)}>{LIST_FAILED}</LoadFailed>
      ) : list.articles.length === 0 ? (
        <p className="rounded-pocket border border-dashed border-soft p-8 text-center text-soft">
          No articles yet
        </p>
      ) : (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface px-4 shadow-card sm:px-6">
          {list.articles.map((article) => (
            <ArticleRow key={article.id} article={article} page={page} newsOn={newsOn} />
          ))}
        </ul>
      )}
      {list === null ? null : <PageSteps page={page} totalPages={list.totalPages} />}
    </>
  );
}

/** What a form led back to. It takes the focus when that has nowhere to go: what was pressed may have gone. */
function DoneNotice({ text }: { text: string }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <div ref={notice} tabIndex={-1} className="mb-4 rounded-control">
      <Notice kind="success">{text}</Notice>
    </div>
  );
}
