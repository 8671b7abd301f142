import { FilePathSource, Input, MP4, WEBM } from 'mediabunny';

/** What browsers play, with the ending that its type is served by. */
export const FILM_ENDINGS = { 'video/mp4': 'mp4', 'video/webm': 'webm' } as const;

export type FilmType = keyof typeof FILM_ENDINGS;

/** Enough for a container's index of a long film; the pictures themselves are not read. */
const READ_AHEAD_BYTES = 1024 * 1024;

/** The file is no film: its container cannot be read, or holds no moving pictures. */
export class FilmRefused extends Error {
  constructor(cause?: unknown) {
    super('the film is refused', { cause });
    this.name = 'FilmRefused';
  }
}

/** How large a film is shown, in pixels; null when it does not say. Reads the container only. Throws `FilmRefused`. */
export async function measureFilm(path: string): Promise<{ width: number; height: number } | null> {
  const input = new Input({
    source: new FilePathSource(path, { maxCacheSize: READ_AHEAD_BYTES }),
    formats: [MP4, WEBM],
  });
  try {
    const track = await input.getPrimaryVideoTrack();
    if (track === null) throw new FilmRefused();
    const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
    return width > 0 && height > 0 ? { width: Math.round(width), height: Math.round(height) } : null;
  } catch (error) {
    throw error instanceof FilmRefused ? error : new FilmRefused(error);
  } finally {
    input.dispose();
  }
}
