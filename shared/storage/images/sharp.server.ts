/**
 * Loads sharp with the first image, because it adds 50 ms to the startup and 25 MB of memory. Its cache is off, because
 * each file is decoded once.
 */
export async function loadSharp() {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
}
