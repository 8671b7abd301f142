/**
 * When an article changed last, as ISO-8601 UTC. What was written before it was published first has not been changed
 * since.
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
