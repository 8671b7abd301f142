import type { StagedFile } from '../file-rule';
import type { FileStorage } from '../storage';
import { uploadPath } from '../upload-path';
import { makeVariants, type ImageVariant } from './image-variants.server';
import { variantName } from './variant-names';

/** A stored variant of an image: the path where it is served, and its size in pixels. */
export interface StoredVariant {
  path: string;
  width: number;
  height: number;
}

/** Stores the variants of an image; these, narrowest first, and the largest's bytes. Throws `ImageRefused`. */
export async function storeImage(
  storage: FileStorage,
  uploadId: string,
  file: Pick<StagedFile, 'path'>,
  { animated = false }: { animated?: boolean } = {},
): Promise<{ sources: StoredVariant[]; largest: StoredVariant; bytes: Uint8Array }> {
  const sources: StoredVariant[] = [];
  let bytes: Uint8Array = new Uint8Array();
  const onVariant = async (variant: ImageVariant): Promise<void> => {
    const name = variantName(variant.width);
    await storage.put(uploadId, name, variant.bytes);
    sources.push({ path: uploadPath(uploadId, name), width: variant.width, height: variant.height });
    bytes = variant.bytes;
  };
  await makeVariants(file.path, { animated, onVariant });
  const largest = sources.at(-1);
  if (largest === undefined) throw new Error('an image has at least one variant');
  return { sources, largest, bytes };
}
