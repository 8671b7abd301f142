import { damagedFile } from './media-rules';

/** Codecs that browsers play (mediabunny's names). */
const PLAYABLE: ReadonlySet<string> = new Set(['avc', 'hevc', 'vp8', 'vp9', 'av1']);

const NO_VIDEO_TRACK = 'This file has no video track.';
const UNPLAYABLE = 'Browsers cannot play this video. Save it as an MP4 with H.264, and upload that.';
const UNREADABLE = 'This video cannot be read. It may be damaged.';

/** Throws `Invalid` that names `file` unless the file has a video track that browsers play. `path`: an MP4 or a WebM. */
export async function requireVideoTrack(path: string): Promise<void> {
  // Loaded for a video only, which few processes ever receive.
  const { FilePathSource, Input, Logging, LogLevel, MP4, QTFF, WEBM } = await import('mediabunny');
  Logging.level = LogLevel.Silent;
  const input = new Input({ source: new FilePathSource(path), formats: [MP4, QTFF, WEBM] });
  let codecs: (string | null)[];
  try {
    const tracks = await input.getVideoTracks();
    codecs = await Promise.all(tracks.map((track) => track.getCodec()));
  } catch (error) {
    throw damagedFile(UNREADABLE, error);
  } finally {
    input.dispose();
  }
  if (codecs.length === 0) throw damagedFile(NO_VIDEO_TRACK, null);
  if (!codecs.some((codec) => codec !== null && PLAYABLE.has(codec))) throw damagedFile(UNPLAYABLE, null);
}
