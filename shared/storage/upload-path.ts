/** The path below which stored files are served. */
export const UPLOADS_PATH = '/uploads/';

/** An upload id and a file name that the server chose. Other paths are not served. */
const UPLOAD_PATH =
  /^\/uploads\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\/[\w-]+\.(webp|jpeg|mp4|webm)$/;

/** The path of a stored file. `name`: letters, digits, `-`, and an extension. */
export function uploadPath(uploadId: string, name: string): string {
  return `${UPLOADS_PATH}${uploadId}/${name}`;
}

/** The id of the upload that a path belongs to; null for other paths. */
export function uploadIdOf(path: string): string | null {
  return UPLOAD_PATH.exec(path)?.[1] ?? null;
}

/** Whether a path names a variant of an uploaded image that pages show. */
export function isUploadedImage(path: string): boolean {
  return UPLOAD_PATH.exec(path)?.[2] === 'webp';
}
