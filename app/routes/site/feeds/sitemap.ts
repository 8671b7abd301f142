import type { LoaderFunctionArgs } from '@remix-run/node';
import { listArticleStamps } from '#shared/news/list-articles';
import { newsPath } from '~/components/news/pagination';
import { newsIsOn } from '../site-state.server';
import { withTextFailures, textResponse } from '~/http/server/failures.server';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';
import { sitemap, type SitemapEntry } from '~/routes/site/feeds/sitemap.server';

/** The news list and its articles; empty while the news section is off. */
async function newsEntries(): Promise<SitemapEntry[]> {
  if (!(await newsIsOn())) return [];
  const stamps = await listArticleStamps(serverContext().db);
  const newest = stamps
    .map(({ modifiedAt }) => modifiedAt)
    .reduce((one, other) => (one > other ? one : other), '');
  return [
    { path: newsPath(1), modifiedAt: newest === '' ? null : newest },
    ...stamps.map(({ id, modifiedAt }) => ({ path: `/news/${encodeURIComponent(id)}`, modifiedAt })),
  ];
}

/** All pages for search engines. */
export function loader({ request }: LoaderFunctionArgs) {
  return withTextFailures(() => answerSitemap(request));
}

async function answerSitemap(request: Request): Promise<Response> {
  const part = new URL(request.url).searchParams.get('part');
  const missing = textResponse('There is no such part of the sitemap.', 404);
  if (part !== null && !/^[1-9]\d{0,5}$/.test(part)) return missing;
  const entries = [
    ...['/', '/status', '/developers', '/privacy', '/terms'].map((path) => ({ path, modifiedAt: null })),
    ...(await newsEntries()),
  ];
  const text = sitemap(entries, part === null ? null : Number(part), serverContext().config.appUrl);
  return text === null ? missing : publicText(request, text, 'application/xml');
}
