import type { LoaderFunctionArgs } from '@remix-run/node';
import { listPublishedArticles } from '#shared/news/list-articles';
import { newsFeed } from '~/routes/site/feeds/feed.server';
import { requireNews } from '~/routes/site/news/news.server';
import { withTextFailures } from '~/http/server/failures.server';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';

const STORIES_IN_FEED = 20;

/** Browsers show the feed with our stylesheet. */
const FEED_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'";

/** The newest stories as an Atom feed. */
export function loader({ request }: LoaderFunctionArgs) {
  return withTextFailures(async () => {
    await requireNews();
    const { db, config } = serverContext();
    const { articles } = await listPublishedArticles(db, { page: 1, limit: STORIES_IN_FEED });
    // Chromium shows `application/atom+xml` as plain text.
    const isPage = request.headers.get('Sec-Fetch-Dest') === 'document';
    const type = isPage ? 'application/xml' : 'application/atom+xml';
    const response = publicText(request, newsFeed(articles, config.appUrl), type, FEED_POLICY);
    response.headers.set('Vary', 'Sec-Fetch-Dest');
    return response;
  });
}
