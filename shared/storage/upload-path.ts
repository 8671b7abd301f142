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

/** The id of an upload, as `newId` makes it. */
export const UPLOAD_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
/** A name that the server chose. */
const FILE_NAME = /^[\w-]+\.\w+$/;

/** Returns the id. Throws for anything else, so that no path can leave the folder of the uploads. */
export function requireUploadId(uploadId: string): string {
  if (!UPLOAD_ID.test(uploadId)) throw new Error(`not an upload id: ${JSON.stringify(uploadId)}`);
  return uploadId;
}

/** Returns the name of a stored file. Throws for names with separators or without an extension. */
export function requireFileName(name: string): string {
  if (!FILE_NAME.test(name)) throw new Error(`not a file name: ${JSON.stringify(name)}`);
  return name;
}
