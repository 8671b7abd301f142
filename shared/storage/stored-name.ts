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
