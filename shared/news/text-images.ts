// An image as the sanitiser writes it: attributes in double quotes, without brackets or quotes in them.
const IMAGE = /<img (?:[^<>]*? )?src="\/uploads\/([\w-]+)\/[^"<>]*"[^<>]*>/g;

/** The uploads whose images sanitised HTML shows, of any article. */
export function uploadsInText(html: string): Set<string> {
  return new Set([...html.matchAll(IMAGE)].map(([, uploadId = '']) => uploadId));
}

// A paragraph that contains only images.
const IMAGE_PARAGRAPH = /<p(?: [^<>]*)?>(?:\s|<img [^<>]*>)+<\/p>\n?/g;

/**
 * Sanitised HTML without the images of these uploads, in any variant, and without the paragraphs that contained nothing
 * else.
 */
export function withoutImages(html: string, isGone: (uploadId: string) => boolean): string {
  const drop = (part: string) =>
    part.replace(IMAGE, (image, uploadId: string) => (isGone(uploadId) ? '' : image));
  const left = drop(
    html.replace(IMAGE_PARAGRAPH, (paragraph) => {
      const rest = drop(paragraph);
      return rest === paragraph || rest.includes('<img ') ? rest : '';
    }),
  );
  return left === html ? html : left.trim();
}
