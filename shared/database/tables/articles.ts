import type { Generated } from 'kysely';

/** News. Content, summary and read time are prepared when an article is saved, so that reading parses nothing. */
export interface ArticlesTable {
  id: string;
  title: string;
  /** HTML as the sanitiser wrote it. */
  content: string;
  /** The version of the sanitiser that wrote `content`; content of any other version is sanitised when it is read. */
  html_version: Generated<number>;
  /** Written by the author; null for none. */
  excerpt: string | null;
  /** The beginning of the content without markup. */
  summary: string;
  read_time_minutes: number;
  /** 0: a draft. */
  published: 0 | 1;
  featured: 0 | 1;
  /** Null also after the account is deleted. */
  author_id: string | null;
  /** The author's name at the time of writing. */
  author_username: string | null;
  /** One of the article's own images. */
  featured_image_id: string | null;
  /** The first publication; null when it was never published. */
  published_at: string | null;
  created_at: string;
  /** When title, content, excerpt or media changed last. */
  updated_at: string;
}
