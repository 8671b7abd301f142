import type { StagedFile } from './file-rule';
import { formImage } from './form-image.server';
import { formName } from './image-forms';
import type { FileStorage } from './storage';
import { uploadPath } from './upload-path';

/** A stored form of an image: where it is served, and how large it is. */
export interface StoredForm {
  path: string;
  width: number;
  height: number;
}

/**
 * Stores an image in its forms under an upload. Returns them, the narrowest first, with the largest one's
 * size in bytes. Throws `ImageRefused`.
 */
export async function storeImage(
  storage: FileStorage,
  uploadId: string,
  file: Pick<StagedFile, 'path'>,
): Promise<{ sources: StoredForm[]; largest: StoredForm; bytes: number }> {
  const sources: StoredForm[] = [];
  let bytes = 0;
  await formImage(file.path, async (form) => {
    const name = formName(form.width);
    await storage.put(uploadId, name, form.bytes);
    sources.push({ path: uploadPath(uploadId, name), width: form.width, height: form.height });
    bytes = form.bytes.byteLength;
  });
  const largest = sources.at(-1);
  if (largest === undefined) throw new Error('an image has one form at least');
  return { sources, largest, bytes };
}
