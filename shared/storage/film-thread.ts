/**
 * What runs in the thread that `measureFilm` starts: plain JavaScript in a string, since neither the site's bundle nor
 * the daemon's has a second file that a thread could begin with. It posts one answer and ends.
 */
export const FILM_THREAD = `
const { closeSync, fstatSync, openSync, readSync } = require('node:fs');
const { parentPort, workerData } = require('node:worker_threads');
const { CustomSource, Input, MP4, WEBM } = require(workerData.library);

async function measure(file) {
  let left = workerData.mostBytes;
  const source = new CustomSource({
    getSize: () => fstatSync(file).size,
    read(start, end) {
      left -= end - start;
      if (left < 0) throw new Error('the index of this film is too large');
      const bytes = new Uint8Array(end - start);
      readSync(file, bytes, 0, bytes.length, start);
      return bytes;
    },
    maxCacheSize: workerData.mostBytes,
  });
  const input = new Input({ source, formats: [MP4, WEBM] });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('this film holds no pictures');
  return { width: await track.getDisplayWidth(), height: await track.getDisplayHeight() };
}

const file = openSync(workerData.path, 'r');
measure(file)
  .catch((error) => ({ refused: String(error) }))
  .then((answer) => {
    closeSync(file);
    parentPort.postMessage(answer);
  });
`;

/** What the thread is told. */
export interface FilmTask {
  path: string;
  /** Where the reader of containers lies. */
  library: string;
  /** The most that is read of a file. */
  mostBytes: number;
}

export type FilmAnswer = { width: number; height: number } | { refused: string };
