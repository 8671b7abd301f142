import type { Generated } from 'kysely';

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
