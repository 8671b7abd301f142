/** An article's pictures and films. */
export interface MediaTable {
  id: string;
  article_id: string;
  upload_id: string;
  media_type: 'image' | 'video';
  /** Where the largest variant is served: `/uploads/{upload}/{file}`. */
  file_path: string;
  /** JSON: `[{path, width, height}]`, an image's variants, the narrowest first; empty for films. */
  sources: string;
  alt_text: string;
  caption: string;
  /** Counted from 0. */
  display_order: number;
  /** What the uploader called it; shown to admins, never a path. */
  original_name: string;
  /** Bytes of the file at `file_path`. */
  file_size: number;
  /** Pixels; null together, for a film that does not say. */
  width: number | null;
  height: number | null;
  created_at: string;
}
