import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { SiteFooter } from '~/components/page/site-footer';
import { NewsHeader, StoryList } from '~/components/news/news-list';
import { Pagination } from '~/components/news/pagination';
import { newsPath } from '~/components/site/site-links';
import { FeaturedStory } from '~/components/news/story-card';
import { PageNav } from '~/components/page/page-nav';
import { appUrlOf, pageMeta } from '~/components/site/page-meta';
import { breadcrumbs } from '~/components/site/structured-data';
import type { PageHandle } from '~/components/site/page-handle';
import { readNewsPage, requireNews } from '~/routes/site/news/news.server';

/** One page of the news. A list that cannot be read is empty, with status 503 so that it is not cached or indexed. */
export async function loader({ request }: LoaderFunctionArgs) {
  await requireNews();
  const news = await readNewsPage(request);
  return data(news, { status: news.failed ? 503 : 200 });
}

export const meta: MetaFunction<typeof loader> = ({ data: news, matches }) => {
  if (news === undefined) return [{ title: `Latest News · ${PRODUCT_NAME}` }];
  const { page, totalPages, failed } = news;
  const appUrl = appUrlOf(matches);
  return pageMeta({
    title: page === 1 ? `Latest News · ${PRODUCT_NAME}` : `Latest News, page ${page} · ${PRODUCT_NAME}`,
    shareTitle: 'Latest News',
    description: `Restocks, releases and changes at ${PRODUCT_NAME}, for UK trading-card collectors${page === 1 ? '' : `: page ${page} of ${totalPages}`}.`,
    path: newsPath(page),
    appUrl,
    previousPath: page > 1 ? newsPath(page - 1) : null,
    nextPath: page < totalPages ? newsPath(page + 1) : null,
    feed: true,
    about: [
      breadcrumbs(appUrl, [
        { name: PRODUCT_NAME, path: '/' },
        { name: 'Latest News', path: newsPath(1) },
      ]),
    ],
    indexed: !failed,
  });
};

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

export default function News() {
  const { page, totalPages, hero, stories, failed } = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-10 outline-none">
        <NewsHeader />
        {hero === null ? null : <FeaturedStory story={hero} />}
        <StoryList
          title={hero === null ? 'Latest Stories' : 'More Stories'}
          stories={stories}
          empty={hero === null}
          failed={failed}
        />
        <Pagination page={page} totalPages={totalPages} />
      </main>
      <SiteFooter />
    </>
  );
}
