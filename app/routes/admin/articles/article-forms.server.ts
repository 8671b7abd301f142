import type { SubmissionResult } from '@conform-to/react';
import type { Account } from '#shared/accounts/account';
import type { Article } from '#shared/news/article';
import { articleFields } from '#shared/news/article-fields';
import { createArticle, updateArticle } from '#shared/news/save-article.server';
import { VERSION_FIELD } from '~/components/articles/article-draft';
import type { ArticleAnswer } from '~/components/articles/article-answer';
import { CONFLICT, GONE, SAVE_FAILED } from '~/components/articles/article-texts';
import { failureOf } from '../../../http/failures.server';
import { notePageFault } from '../../../http/page-fault.server';
import { parsePageForm } from '../../../http/forms/page-form.server';
import { readForm } from '../../../http/forms/read-form.server';
import { serverContext } from '../../../http/server/context.server';

const MEGABYTE = 1024 * 1024;
/** An article may have 2 MB, and a form's encoding makes up to three bytes of each. */
const ARTICLE_FORM_LIMIT_BYTES = 6 * MEGABYTE + 64 * 1024;

function answer(
  lastResult: SubmissionResult,
  version: string,
  { conflict = false, gone = false } = {},
): ArticleAnswer {
  return { form: 'article', lastResult, conflict, gone, version };
}

/**
 * Reads the form of an article. Throws refusals: 415 another encoding, 413 too large. Browsers send the lines of a
 * text box with CR and LF (html.spec.whatwg.org, "normalize newlines"), which no text of ours has.
 */
export async function readArticleForm(request: Request): Promise<URLSearchParams> {
  const form = await readForm(request, ARTICLE_FORM_LIMIT_BYTES);
  for (const name of ['content', 'excerpt']) {
    const text = form.get(name);
    if (text !== null) form.set(name, text.replaceAll('\r\n', '\n'));
  }
  return form;
}

/** The answer to a form that could not even be read. */
export function unreadableArticle(error: unknown): ArticleAnswer {
  const failure = failureOf(error);
  if (failure === null) throw error;
  return answer({ status: 'error', error: { '': [`${SAVE_FAILED} ${failure.message}`] } }, '');
}

/** Saves what an article's form holds by `save`; gives the article, or what to answer the form. */
async function saveBy(
  request: Request,
  { form, goneText }: { form: URLSearchParams; goneText: string },
  save: (fields: {
    title: string;
    content: string;
    excerpt: string | null;
    published: boolean;
    featured: boolean;
  }) => Promise<Article>,
): Promise<Article | ArticleAnswer> {
  const version = form.get(VERSION_FIELD) ?? '';
  const submission = parsePageForm(form, articleFields);
  if (submission.status !== 'success') return answer(submission.reply(), version);
  const { title, content, excerpt, published, featured } = submission.value;
  try {
    // What is left out of this form is emptied or not ticked, where a call of the API leaves it as it is.
    return await save({
      title,
      content,
      excerpt: excerpt ?? null,
      published: published ?? false,
      featured: featured ?? false,
    });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === null) notePageFault(request, error, { message: 'saving an article failed' });
    if (failure?.errors !== undefined)
      return answer(submission.reply({ fieldErrors: failure.errors }), version);
    const [gone, conflict] = [failure?.status === 404, failure?.status === 409];
    const sentence = gone ? goneText : conflict ? CONFLICT : (failure?.message ?? SAVE_FAILED);
    return answer(submission.reply({ formErrors: [sentence] }), version, { conflict, gone });
  }
}

/** Creates an article from its form. Returns it, or what to answer the form: then nothing was saved. */
export function createFromForm(
  request: Request,
  form: URLSearchParams,
  { id, username }: Pick<Account, 'id' | 'username'>,
): Promise<Article | ArticleAnswer> {
  const { db, clock } = serverContext();
  return saveBy(request, { form, goneText: GONE }, (fields) =>
    createArticle(db, { fields, author: { id, username }, clock }),
  );
}

/**
 * Saves an article's form. `overwrite`: also over what somebody else saved since the form was made.
 * `goneText`: what is said when the article is there no more. Returns the article,
 * or what to answer the form: then nothing was saved.
 */
export function updateFromForm(
  request: Request,
  form: URLSearchParams,
  {
    id,
    account,
    overwrite,
    goneText = GONE,
  }: { id: string; account: Pick<Account, 'id'>; overwrite: boolean; goneText?: string },
): Promise<Article | ArticleAnswer> {
  const { db, clock } = serverContext();
  return saveBy(request, { form, goneText }, (changes) =>
    updateArticle(db, {
      id,
      changes,
      expectedVersion: overwrite ? undefined : (form.get(VERSION_FIELD) ?? ''),
      actor: { userId: account.id },
      clock,
    }),
  );
}
