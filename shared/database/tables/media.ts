import type { Generated } from 'kysely';

/** An article's images and videos. */
export interface MediaTable {
  id: string;
  article_id: string;
  upload_id: string;
  media_type: 'image' | 'video';
  /** What it was uploaded for: `gallery` unless an editor put it into its text. Set once. */
  placement: Generated<'gallery' | 'text'>;
  /** 1: the saved text of its own article shows it. Written with that text. */
  in_text: Generated<0 | 1>;
  /** Where the largest variant is served: `/uploads/{upload}/{file}`. */
  file_path: string;
  /** JSON: `[{path, width, height}]`, an image's variants, the narrowest first; empty for videos. */
  sources: string;
  alt_text: string;
  caption: string;
  /** Counted from 0. */
  display_order: number;
  /** What the uploader called it; shown to admins, never a path. */
  original_name: string;
  /** Bytes of the file at `file_path`. */
  file_size: number;
  /** Pixels; null together, for a video that does not say. */
  width: number | null;
  height: number | null;
  created_at: string;
}
