import type { LoaderFunctionArgs } from '@remix-run/node';
import { listPublishedArticles } from '#shared/news/list-articles';
import { requireNews } from '~/routes/site/news/news.server';
import { withTextFailures } from '~/http/server/failures.server';
import { publicText } from '~/routes/site/public-text.server';
import { serverContext } from '~/http/server/context.server';
import { PRODUCT_NAME } from '#shared/brand';
import { modifiedAt, type Article } from '#shared/news/article';
import { authorOf, summaryOf } from '#shared/news/article-text';
import { escapeHtml } from '#shared/text';
import { newsPath } from '~/components/site/site-links';
import { imagesOf, pageImageOf } from '~/components/news/story';
import { FEED_PATH, FEED_TITLE } from '~/components/site/page-meta';
import { placeImages, withAbsoluteAddresses } from '../news/article-html.server';
import { asHtml, inXml } from './feed-text';

/** The style sheet for the feed, in `public/`. */
const STYLESHEET = '/feed.css';

/** Shorter than the stored summary, so that truncation can be detected. */
const SUMMARY_LENGTH = 250;

/** The time of a feed without articles; Atom requires one. */
const NEVER = new Date(0);

/** The image above an article's text; nothing when the text already contains it. */
function leadHtml(article: Article, appUrl: string): string {
  const [lead] = imagesOf(article);
  if (lead === undefined || placeImages(article.content, [lead]).unplaced.length === 0) return '';
  const image = pageImageOf(lead);
  if (image === null) return '';
  const { path, width, height } = lead.shareImage ?? { ...image, path: image.src };
  return `<p><img src="${asHtml(appUrl + path)}" alt="${asHtml(image.alt)}" width="${width}" height="${height}" /></p>`;
}

/** An article's image as an enclosure, whose type `feed` derives from the extension; undefined while there is none. */
function enclosureOf(article: Article, appUrl: string): { url: string; length: number } | undefined {
  const shareImage = imagesOf(article)[0]?.shareImage ?? null;
  return shareImage === null ? undefined : { url: appUrl + shareImage.path, length: shareImage.fileSize };
}

/** A part of the feed for people, as XHTML: foreign markup, which feed readers skip (RFC 4287, section 6.3). */
function part(html: string): string {
  return `<div xmlns="http://www.w3.org/1999/xhtml">${html}</div>`;
}

/**
 * Adds what browsers need to show the feed as a page: CSS that hides the elements of Atom, and a readable part in the feed and
 * in each entry. No XSLT, because browsers remove it (developer.chrome.com/docs/web-platform/deprecating-xslt).
 */
function readableInBrowsers(atom: string, articles: readonly Article[], appUrl: string): string {
  const intro = part(
    `<h1>${escapeHtml(FEED_TITLE)}</h1><p>This is a feed: copy its address into a feed reader, and new articles appear there. <a href="${escapeHtml(appUrl + newsPath(1))}">Read the news on the site</a></p>`,
  );
  let xml = atom
    .replace('?>', () => `?>\n<?xml-stylesheet href="${STYLESHEET}" type="text/css"?>`)
    .replace(/<feed [^<>]*>/, (start) => start + intro);
  for (const article of articles) {
    const shown = part(
      `<h2><a href="${escapeHtml(`${appUrl}/news/${article.id}`)}">${asHtml(article.title)}</a></h2><p>${asHtml(summaryOf(article, SUMMARY_LENGTH))}</p>`,
    );
    const id = `<id>urn:uuid:${article.id}</id>`;
    xml = xml.replace(id, () => id + shown);
  }
  return xml;
}

/** An Atom feed (RFC 4287) of these articles, the newest first. `appUrl` has no slash at its end. */
async function newsFeed(articles: readonly Article[], appUrl: string): Promise<string> {
  const { Feed } = await import('feed');
  const changes = articles.map(modifiedAt).toSorted();
  const feed = new Feed({
    id: appUrl + newsPath(1),
    title: FEED_TITLE,
    description: `Restocks, releases and changes at ${PRODUCT_NAME}.`,
    link: appUrl + newsPath(1),
    feed: appUrl + FEED_PATH,
    favicon: `${appUrl}/favicon.ico`,
    updated: new Date(changes.at(-1) ?? NEVER),
    generator: false,
  });
  for (const article of articles) {
    const content = leadHtml(article, appUrl) + withAbsoluteAddresses(article.content, appUrl);
    feed.addItem({
      // Stays the same when the site moves to another address.
      id: `urn:uuid:${article.id}`,
      title: asHtml(article.title),
      link: `${appUrl}/news/${article.id}`,
      published: new Date(article.publishedAt ?? article.createdAt),
      date: new Date(modifiedAt(article)),
      author: [{ name: inXml(authorOf(article)) }],
      description: asHtml(summaryOf(article, SUMMARY_LENGTH)),
      // `feed` writes it as a CDATA section, which `]]>` would end.
      content: inXml(content).replaceAll(']]>', ']]&gt;'),
      image: enclosureOf(article, appUrl),
    });
  }
  return readableInBrowsers(feed.atom1(), articles, appUrl);
}

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
    const response = publicText(request, await newsFeed(articles, config.appUrl), type, FEED_POLICY);
    response.headers.set('Vary', 'Sec-Fetch-Dest');
    return response;
  });
}
