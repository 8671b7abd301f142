// An image as the sanitiser writes it: attributes in double quotes, with no bracket or quote inside.
const PICTURE = /<img (?:[^<>]*? )?src="\/uploads\/([\w-]+)\/[^"<>]*"[^<>]*>/g;

/** The uploads whose images sanitised HTML shows, whichever article they belong to. */
export function uploadsInText(html: string): Set<string> {
  return new Set([...html.matchAll(PICTURE)].map(([, uploadId = '']) => uploadId));
}

// A paragraph that holds images and nothing else.
const PICTURE_PARAGRAPH = /<p(?: [^<>]*)?>(?:\s|<img [^<>]*>)+<\/p>\n?/g;

/**
 * Sanitised HTML without the images of these uploads, in whatever form they stand there, and without the paragraphs that
 * held nothing else.
 */
export function withoutImages(html: string, isGone: (uploadId: string) => boolean): string {
  const drop = (part: string) =>
    part.replace(PICTURE, (image, uploadId: string) => (isGone(uploadId) ? '' : image));
  const left = drop(
    html.replace(PICTURE_PARAGRAPH, (paragraph) => {
      const rest = drop(paragraph);
      return rest === paragraph || rest.includes('<img ') ? rest : '';
    }),
  );
  return left === html ? html : left.trim();
}
