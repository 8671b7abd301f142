import { data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { Link } from '~/components/ui/button';
import { SiteFooter } from '~/components/page/site-footer';
import { ArticleCard, articleHtmlName } from '~/components/news/article-card';
import { ArticleNotShown, DraftBanner } from '~/components/news/article-header';
import type { ArticleFacts, ArticleView } from '~/components/news/article-view';
import { newsArticle } from '~/components/news/news-article-data';
import { ShareArticle } from '~/components/news/share-article';
import { newsPath } from '~/components/site/site-links';
import { PageNav } from '~/components/page/page-nav';
import { appUrlOf, describe, pageMeta } from '~/components/site/page-meta';
import { useSiteFacts } from '~/components/site/site-facts';
import { breadcrumbs } from '~/components/site/structured-data';
import type { PageHandle } from '~/components/site/page-handle';
import { readArticlePage, requireNews } from '~/routes/site/news/news.server';
import { inDocument } from '~/http/server/document-html.server';
import { findPublicViewer } from '~/http/auth/session.server';

const STATUS = { article: 200, missing: 404, failed: 500 } as const;

/** One article, or the reason why none is shown. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireNews();
  const read = await readArticlePage(request, {
    id: params.articleId ?? '',
    viewer: await findPublicViewer(request),
  });
  const status = { status: STATUS[read.kind] };
  if (read.kind !== 'article') return data(read, status);
  const { id, html } = read.article;
  const name = articleHtmlName(id);
  const inPage = inDocument(context, { [name]: html });
  return data({ ...read, article: { ...read.article, html: inPage?.[name] ?? null } }, status);
}

function articlePath({ id }: ArticleView): string {
  return `/news/${id}`;
}

/** Metadata for search engines and link previews. */
function articleMeta(article: ArticleView, facts: ArticleFacts, appUrl: string) {
  const { title } = article;
  const path = articlePath(article);
  const { description, author, publishedTime, modifiedTime, shareImages } = facts;
  return pageMeta({
    title: `${title} · ${PRODUCT_NAME}`,
    shareTitle: title,
    description,
    path,
    appUrl,
    image: shareImages[0],
    article: { publishedTime, modifiedTime, author },
    feed: true,
    about: [
      newsArticle({
        appUrl,
        path,
        headline: title,
        description: describe(description),
        author,
        publishedTime,
        modifiedTime,
        images: shareImages,
      }),
      breadcrumbs(appUrl, [
        { name: PRODUCT_NAME, path: '/' },
        { name: 'Latest News', path: newsPath(1) },
        { name: title, path },
      ]),
    ],
    indexed: !article.draft,
  });
}

export const meta: MetaFunction<typeof loader> = ({ data: read, matches }) => {
  if (read?.kind === 'article') return articleMeta(read.article, read.facts, appUrlOf(matches));
  const title = read?.kind === 'missing' ? 'Article Not Found' : 'This article did not load';
  return [{ title: `${title} · ${PRODUCT_NAME}` }, { name: 'robots', content: 'noindex' }];
};

/** It ends with the footer of public pages. */
export const handle: PageHandle = { footer: 'own' };

export default function ArticlePage() {
  const read = useLoaderData<typeof loader>();
  return (
    <>
      <PageNav />
      <main id="content" tabIndex={-1} className="wrap py-8 outline-none">
        {read.kind === 'article' ? (
          <ArticleBody article={read.article} />
        ) : (
          <ArticleNotShown why={read.kind} />
        )}
      </main>
      <SiteFooter />
    </>
  );
}

function ArticleBody({ article }: { article: ArticleView }) {
  const { appUrl } = useSiteFacts();
  return (
    <div className="mx-auto max-w-[50rem]">
      {article.draft ? <DraftBanner id={article.id} /> : null}
      <p>
        <Link
          to={newsPath(1)}
          prefetch="intent"
          className="inline-flex min-h-8 items-center font-[550] no-underline hover:text-brand"
        >
          ← All news
        </Link>
      </p>
      <ArticleCard article={article}>
        {article.draft ? null : <ShareArticle title={article.title} url={appUrl + articlePath(article)} />}
        <p className="mt-8 text-small tracking-[0.02em] text-soft">
          Article ID: <code className="break-all">{article.id}</code>
        </p>
      </ArticleCard>
    </div>
  );
}
