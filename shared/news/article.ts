/** One variant of an image: the same picture at another width. */
export interface ImageSource {
  /** From the site's root, `/uploads/…`. */
  path: string;
  width: number;
  height: number;
}

/** An image or video of an article. */
export interface Media {
  id: string;
  mediaType: 'image' | 'video';
  /** What it was uploaded for: to be shown with the article, or for its text alone. */
  placement: 'gallery' | 'text';
  /** The article's saved text shows it. */
  inText: boolean;
  /** From the site's root, `/uploads/…`; of an image its largest variant. */
  filePath: string;
  altText: string;
  caption: string;
  displayOrder: number;
  originalName: string;
  /** Bytes. */
  fileSize: number;
  /** Pixels; null together, for a video that does not say. */
  width: number | null;
  height: number | null;
  /** An image's variants, the narrowest first; empty for videos. */
  sources: ImageSource[];
}

/** An article as pages and the API know it. Times are ISO-8601 UTC. */
export interface Article {
  id: string;
  title: string;
  /** HTML that was sanitised when it was saved. */
  content: string;
  /** As the author wrote it; null: none. */
  excerpt: string | null;
  /** The content's text without markup: its first `SUMMARY_KEPT` characters. */
  summary: string;
  published: boolean;
  featured: boolean;
  featuredImageId: string | null;
  /** Null: nobody is named; pages then say 'Admin'. */
  authorUsername: string | null;
  createdAt: string;
  updatedAt: string;
  /** When it was published first; null for what never was. */
  publishedAt: string | null;
  readTimeMinutes: number;
  /** In their order. */
  media: Media[];
}

/** An article as lists read it: without its text. */
export type ArticleOutline = Omit<Article, 'content'>;

/** One page of a list. `page` counts from 1; one past the end is empty. */
export interface ArticlePage<Listed extends ArticleOutline = Article> {
  articles: Listed[];
  page: number;
  totalPages: number;
  total: number;
}
