import type { Article } from '#shared/news/article';
import { SAVE_FAILED } from './article-texts';

/** An article that exists so that its images have a place, and the version it had then. */
export interface MadeDraft {
  id: string;
  version: string;
}

/** As far as `api.md` has it; what is missing was no answer of ours. */
interface Answer {
  message?: unknown;
  data?: { article?: Pick<Article, 'id'> };
}

/** Makes a draft of what is typed so far. Rejects with an error whose message is a sentence for people. */
export async function makeDraft(fields: {
  title: string;
  content: string;
  excerpt: string;
}): Promise<MadeDraft> {
  const lost = () => new Error(SAVE_FAILED);
  const answer = await fetch('/api/news/admin/articles', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...fields, published: false }),
  }).catch(() => {
    throw lost();
  });
  const { message, data } = (await answer.json().catch(() => ({}))) as Answer;
  const version = answer.headers.get('ETag')?.replace(/^(?:W\/)?"(.*)"$/, '$1');
  if (answer.ok && data?.article !== undefined && version !== undefined)
    return { id: data.article.id, version };
  throw typeof message === 'string' ? new Error(message) : lost();
}
