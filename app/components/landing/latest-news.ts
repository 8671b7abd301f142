import { DAY, fromIso } from '#shared/clock';
import type { ArticleOutline } from '#shared/news/article';
import { newsDay } from '~/components/news/news-dates';
import { storyOf, type Story } from '~/components/news/story';

/** "2026-12-14" */
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London' });

/**
 * Formats a date relative to now, in calendar days of UK time: "Today", "Yesterday", "3 days ago" below seven days,
 * "1 week ago" or "3 weeks ago" below thirty, else "December 14, 2026". `iso`: ISO-8601 UTC; `nowMs`: epoch ms.
 */
export function relativeDate(iso: string, nowMs: number): string {
  const at = new Date(iso);
  const days = Math.round((Date.parse(dayFormat.format(nowMs)) - Date.parse(dayFormat.format(at))) / DAY);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days < 7) return `${days} days ago`;
  if (days >= 30) return newsDay(iso);
  const weeks = Math.floor(days / 7);
  return weeks === 1 ? '1 week ago' : `${weeks} weeks ago`;
}

/** The number of articles that are read, and the number that is shown. */
export const FETCHED = 6;
const SHOWN = 3;
/** Length of the summary of an article without an excerpt. */
const SUMMARY_CHARACTERS = 120;

/** Formats an article for the landing page, with its date relative to `now` (ISO-8601 UTC). */
export function landingStory(article: ArticleOutline, now: string): Story {
  const story = storyOf(article, SUMMARY_CHARACTERS);
  const { iso } = story.published;
  return { ...story, published: { iso, text: relativeDate(iso, fromIso(now)) } };
}

/** Selects the articles of the Latest News section, featured ones first. `articles`: newest first. */
export function pickLatest(articles: readonly ArticleOutline[]): ArticleOutline[] {
  return articles.toSorted((a, b) => Number(b.featured) - Number(a.featured)).slice(0, SHOWN);
}
