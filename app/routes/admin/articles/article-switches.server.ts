import { updateArticle } from '#shared/news/save-article.server';
import type { Actor } from '#shared/audit/write-audit';
import type { Done } from '~/components/articles/article-texts';
import { serverContext } from '../../../http/server/context.server';

interface ArticleSwitch {
  changes: { published: boolean } | { featured: boolean };
  done: Done;
}

/** What a row's switches ask for: the state that they lead to, so that a list that is no longer fresh turns nothing back. */
const SWITCHES: Readonly<Record<string, ArticleSwitch>> = {
  publish: { changes: { published: true }, done: 'published' },
  unpublish: { changes: { published: false }, done: 'unpublished' },
  feature: { changes: { featured: true }, done: 'featured' },
  unfeature: { changes: { featured: false }, done: 'unfeatured' },
};

/** Works one of an article's switches. Returns what is done then, null for a switch that does not exist. */
export async function workArticleSwitch(
  intent: string,
  { id, actor }: { id: string; actor: Actor },
): Promise<Done | null> {
  const found = Object.hasOwn(SWITCHES, intent) ? SWITCHES[intent] : undefined;
  if (found === undefined) return null;
  const { db, clock } = serverContext();
  await updateArticle(db, { id, changes: found.changes, actor, clock });
  return found.done;
}
