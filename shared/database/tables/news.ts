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

/** An article's images and videos. */
export interface MediaTable {
  id: string;
  article_id: string;
  upload_id: string;
  media_type: 'image' | 'video';
  /** The purpose of the upload: `text` for an image inserted in the editor. Set once. */
  placement: Generated<'gallery' | 'text'>;
  /** 1: the saved text of the same article shows it. Written with that text. */
  in_text: Generated<0 | 1>;
  /** The path of the largest variant: `/uploads/{upload}/{file}`. */
  file_path: string;
  /** JSON: `[{path, width, height}]`, the variants of an image, narrowest first; empty for videos. */
  sources: string;
  /** JSON: `{path, width, height, fileSize}`, the JPEG for link previews and feeds; null until it is made, and for videos. */
  share_image: string | null;
  alt_text: string;
  caption: string;
  /** Counted from 0. */
  display_order: number;
  /** The uploader's file name; shown to admins, never a path. */
  original_name: string;
  /** Bytes of the file at `file_path`. */
  file_size: number;
  /** Pixels; both null for a video of unknown size. */
  width: number | null;
  height: number | null;
  created_at: string;
}
