import type { Selectable } from 'kysely';
import type { MediaTable } from '../database/tables/media';
import type { ImageSource, Media } from './article';

/** A row of `media` as the type that pages and the API use. */
export function mediaOf(row: Selectable<MediaTable>): Media {
  return {
    id: row.id,
    mediaType: row.media_type,
    placement: row.placement,
    inText: row.in_text === 1,
    filePath: row.file_path,
    altText: row.alt_text,
    caption: row.caption,
    displayOrder: row.display_order,
    originalName: row.original_name,
    fileSize: row.file_size,
    width: row.width,
    height: row.height,
    // Only `addMedia` writes this column, from the same type.
    sources: JSON.parse(row.sources) as ImageSource[],
  };
}
