/** Where stored files are served, from the site's root. */
export const UPLOADS_PATH = '/uploads/';

/** A folder of its own, and a name that we gave. Nothing else in that folder is served. */
const UPLOAD_PATH =
  /^\/uploads\/([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})\/[\w-]+\.(webp|mp4|webm)$/;

/** Where a stored file is served, from the site's root. `name` is one of ours: letters, digits, `-`, and its kind. */
export function uploadPath(uploadId: string, name: string): string {
  return `${UPLOADS_PATH}${uploadId}/${name}`;
}

/** The upload that a path belongs to; null for anything that is no path of an uploaded file. */
export function uploadIdOf(path: string): string | null {
  return UPLOAD_PATH.exec(path)?.[1] ?? null;
}

/** Whether a path is that of an uploaded picture. */
export function isUploadedImage(path: string): boolean {
  return UPLOAD_PATH.exec(path)?.[2] === 'webp';
}
