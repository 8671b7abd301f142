import type { Kysely } from 'kysely';

/**
 * The JPEG of an article's image for link previews and feeds, as JSON `{path, width, height, fileSize}`; null until the
 * daemon has made it, and for videos.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('share_image', 'text').execute();
}

export async function down(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').dropColumn('share_image').execute();
}
