import { UNKNOWN_TYPE } from './file-rule';

/** Brands of AVIF images, image sequences included (AV1 Image File Format 1.1, section 6). */
const AVIF_BRANDS: ReadonlySet<string> = new Set(['avif', 'avis', 'avio']);

/** Brands of other images in ISO files: HEIF and its codecs (ISO/IEC 23008-12, MP4RA's list of brands), camera raws. */
const IMAGE_BRANDS: ReadonlySet<string> = new Set([
  ...['mif1', 'mif2', 'mif3', 'msf1', 'miaf', 'MiHB', 'MiHA', 'MiHE', 'MiAB', 'MiPr', '1pic', 'pred', 'unif'],
  ...['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'heio', 'vvic', 'vvis', 'evbi', 'evbs'],
  ...['avci', 'avcs', 'jpeg', 'jpgs', 'j2ki', 'j2is', 'jxs ', 'jxsi', 'crx '],
]);

const QUICKTIME_BRAND = 'qt  ';

/** Far more than any file names. */
const MAX_BRANDS = 256;

/** The major and the compatible brands of an ISO file (ISO/IEC 14496-12, section 4.3); null for another file. */
function readBrands(head: Buffer): string[] | null {
  if (head.byteLength < 16 || head.toString('latin1', 4, 8) !== 'ftyp') return null;
  const size = head.readUInt32BE(0);
  if (size < 16) return null;
  const end = Math.min(size, head.byteLength, 16 + 4 * MAX_BRANDS);
  const brands = [head.toString('latin1', 8, 12)];
  // Before them: the minor version.
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.toString('latin1', at, at + 4));
  return brands;
}

/** The type of an ISO file by all its brands: the first often names only the family. An image is never a video. */
function typeOfBrands(brands: readonly string[]): string {
  if (brands.some((brand) => AVIF_BRANDS.has(brand))) return 'image/avif';
  if (brands.some((brand) => IMAGE_BRANDS.has(brand))) return 'image/heif';
  // M4V, 3GP and audio are MP4 files, too. What they contain is read when they are stored.
  return brands.every((brand) => brand === QUICKTIME_BRAND) ? 'video/quicktime' : 'video/mp4';
}

/** Types of variants that browsers show like the type itself. */
const VARIANT_OF: ReadonlyMap<string, string> = new Map([['image/apng', 'image/png']]);

/** The media type of a file, detected from its first bytes. `UNKNOWN_TYPE` when they show none. */
export async function detectMediaType(head: Buffer): Promise<string> {
  const brands = readBrands(head);
  if (brands !== null) return typeOfBrands(brands);
  const { fileTypeFromBuffer } = await import('file-type');
  const type = (await fileTypeFromBuffer(head))?.mime ?? UNKNOWN_TYPE;
  return VARIANT_OF.get(type) ?? type;
}

/** The head of an AVIF with the major brand that libvips looks for (8.18, `vips_foreign_load_heif_is_a`); else null. */
export function withAvifBrand(head: Buffer): Buffer | null {
  const brands = readBrands(head);
  if (brands === null || brands[0] === 'avif' || typeOfBrands(brands) !== 'image/avif') return null;
  const changed = Buffer.from(head);
  changed.write('avif', 8, 'latin1');
  return changed;
}
