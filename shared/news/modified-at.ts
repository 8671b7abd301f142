/**
 * The last change of an article, as ISO-8601 UTC: its first publication, unless it changed later.
 */
export function modifiedAt({
  publishedAt,
  updatedAt,
}: {
  publishedAt: string | null;
  updatedAt: string;
}): string {
  return publishedAt !== null && publishedAt > updatedAt ? publishedAt : updatedAt;
}
