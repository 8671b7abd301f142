// An image as the sanitiser writes it: attributes in double quotes, with no bracket or quote inside.
const PICTURE = /<img (?:[^<>]*? )?src="\/uploads\/([\w-]+)\/[^"<>]*"[^<>]*>/g;

/** The uploads whose images sanitised HTML shows, whichever article they belong to. */
export function uploadsInText(html: string): Set<string> {
  return new Set([...html.matchAll(PICTURE)].map(([, uploadId = '']) => uploadId));
}

/** Sanitised HTML without the images of these uploads, in whatever form they stand there. */
export function withoutPictures(html: string, isGone: (uploadId: string) => boolean): string {
  return html.replace(PICTURE, (image, uploadId: string) => (isGone(uploadId) ? '' : image));
}
