import type { ShareImage } from '~/components/site/share-image';
import { organization, type StructuredThing } from '~/components/site/structured-data';

interface NewsArticleFacts {
  appUrl: string;
  /** Root-relative. */
  path: string;
  headline: string;
  description: string;
  /** Null: the organization is the author. */
  author: string | null;
  /** ISO-8601. */
  publishedTime: string;
  modifiedTime: string;
  /** The best image first. */
  images: readonly ShareImage[];
}

/** An image (schema.org/ImageObject). */
function imageObject(appUrl: string, { path, type, width, height, alt }: ShareImage): StructuredThing {
  return {
    '@type': 'ImageObject',
    url: appUrl + path,
    encodingFormat: type,
    width,
    height,
    description: alt,
  };
}

/** An article (schema.org/NewsArticle, developers.google.com/search/docs/appearance/structured-data/article). */
export function newsArticle(facts: NewsArticleFacts): StructuredThing {
  const { appUrl, path, headline, description, author, publishedTime, modifiedTime, images } = facts;
  return {
    '@type': 'NewsArticle',
    '@id': `${appUrl}${path}#article`,
    mainEntityOfPage: { '@type': 'WebPage', '@id': appUrl + path },
    headline,
    description,
    image: images.map((image) => imageObject(appUrl, image)),
    datePublished: publishedTime,
    dateModified: modifiedTime,
    inLanguage: 'en-GB',
    author: author === null ? organization(appUrl) : { '@type': 'Person', name: author },
    publisher: organization(appUrl),
  };
}
