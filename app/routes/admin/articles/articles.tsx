import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData, useOutlet } from '@remix-run/react';
import { useEffect, useRef, useState } from 'react';
import { AdminSection } from '~/components/admin/admin-section';
import { LoadFailed, Notice } from '~/components/ui/notice';
import { ArticleFrame } from '~/components/articles/article-frame';
import { ArticleRow } from '~/components/articles/article-row';
import {
  listAddress,
  LIST_FAILED,
  LIST_FAILED_FORMS,
  newArticleAddress,
} from '~/components/articles/articles';
import { skipRevalidationOnRejection } from '~/components/articles/stay-on-article';
import { useUploadQueue } from '~/components/articles/use-upload-queue';
import { keepFormOnNetworkError } from '~/components/forms/offline';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { titled } from '~/components/site/page-title';
import { ButtonLink } from '~/components/ui/button';
import { PageLinks, pageNumberOf } from '~/components/ui/page-links';
import { useHydrated } from '~/components/ui/use-hydrated';
import { requireAdmin } from '~/http/auth/session.server';
import { loadOptional } from '~/http/server/failures.server';
import { newsIsOn } from '~/routes/site/site-state.server';
import { listForms, readArticleList, toListedArticle } from '~/routes/admin/articles/articles.server';

const SWITCHES = Object.keys(LIST_FAILED_FORMS);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const query = pageNumberOf(request);
  const found = await loadOptional(() => readArticleList(query));
  return {
    list: found && { articles: found.articles.map(toListedArticle), totalPages: found.totalPages },
    page: found?.page ?? query,
    newsOn: await newsIsOn(),
  };
}

export const action = listForms.action;

export const clientAction = keepFormOnNetworkError(LIST_FAILED_FORMS);

export const shouldRevalidate = skipRevalidationOnRejection;

export const meta: MetaFunction = () => titled('Article Management');

/** Whether the form is a page: opened by its address, until the list is opened. From the list it is a dialog. */
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
      {alone ? null : <ArticleList />}
      {formOpen ? (
        <ArticleFrame modal={!alone} backTo={listAddress(page)}>
          {form}
        </ArticleFrame>
      ) : null}
    </AdminSection>
  );
}

/** The switches show their state themselves, so with scripts only other notices are shown. */
function ArticleList() {
  const { list, page, newsOn } = useLoaderData<typeof loader>();
  const hydrated = useHydrated();
  const { result } = useForms([...SWITCHES, 'delete']);
  const done = result?.ok === true && !(hydrated && SWITCHES.includes(result.intent)) ? result : null;
  // A refusal is shown in its row, unless another admin has deleted the article since.
  const isListed = list?.articles.some(({ id }) => id === result?.values?.articleId) === true;
  const refused = result?.ok === false && !isListed ? result : null;
  return (
    <>
      <p className="mb-4">
        <ButtonLink href={newArticleAddress(page)} variant="primary">
          Create Article
        </ButtonLink>
      </p>
      {done === null ? null : <DoneNotice text={done.message} />}
      {refused === null ? null : (
        <div className="mb-4">
          <FormNotice result={refused} />
        </div>
      )}
      {list === null ? (
        <LoadFailed retryPath={listAddress(page)}>{LIST_FAILED}</LoadFailed>
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
      {list === null ? null : (
        <div className="mt-6">
          <PageLinks
            label="Pages of the list"
            page={page}
            totalPages={list.totalPages}
            addressOf={listAddress}
          />
        </div>
      )}
    </>
  );
}

/** The notice of a form. It takes the focus when the button that was pressed no longer exists. */
function DoneNotice({ text }: { text: string }) {
  const hydrated = useHydrated();
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <div ref={notice} tabIndex={-1} className="mb-4 rounded-control">
      <Notice kind="success" autoFocus={!hydrated}>
        {text}
      </Notice>
    </div>
  );
}
