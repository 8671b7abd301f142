import { fromIso } from '#shared/clock';
import type { ArticleOutline } from '#shared/news/article';
import { storyOf, type Story } from '~/components/news/story';
import { relativeDate } from './relative-date';

/** How many articles are asked for, and how many of them are shown. */
export const FETCHED = 6;
const SHOWN = 3;
/** Of the content, where an article has no excerpt. */
const SUMMARY_CHARACTERS = 120;

/** An article as the landing page shows it, its date in words as of `now` (ISO-8601 UTC). */
export function landingStory(article: ArticleOutline, now: string): Story {
  const story = storyOf(article, SUMMARY_CHARACTERS);
  const { iso } = story.published;
  return { ...story, published: { iso, text: relativeDate(iso, fromIso(now)) } };
}

/** Those that the Latest News section shows out of what was fetched, newest first: featured ones lead. */
export function pickLatest(articles: readonly ArticleOutline[]): ArticleOutline[] {
  return articles.toSorted((a, b) => Number(b.featured) - Number(a.featured)).slice(0, SHOWN);
}
