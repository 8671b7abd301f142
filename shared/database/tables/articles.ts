/** News. What pages need beside the text is computed at save, so that reading is only reading. */
export interface ArticlesTable {
  id: string;
  title: string;
  /** Sanitised HTML. */
  content: string;
  /** As the author wrote it; null: none. */
  excerpt: string | null;
  /** The content's text without markup, its beginning only. */
  summary: string;
  read_time_minutes: number;
  /** 0: a draft. */
  published: 0 | 1;
  featured: 0 | 1;
  /** Null also when the account is gone. */
  author_id: string | null;
  /** The author's name at the time of writing. */
  author_username: string | null;
  /** One of the article's own images. */
  featured_image_id: string | null;
  /** When it was published first; null for what never was. */
  published_at: string | null;
  created_at: string;
  /** When title, content, excerpt or pictures changed last. */
  updated_at: string;
}
