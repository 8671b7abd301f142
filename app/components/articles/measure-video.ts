import { SECOND } from '#shared/clock';

/** Loading the metadata of a local file takes milliseconds; a browser that cannot read the file may never report it. */
const METADATA_LIMIT_MS = 5 * SECOND;

/** The size of a video file in pixels, as this browser reads it; null when it cannot. */
export function measureVideo(file: File): Promise<{ width: number; height: number } | null> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  return new Promise<{ width: number; height: number } | null>((resolve) => {
    const giveUp = setTimeout(() => resolve(null), METADATA_LIMIT_MS);
    const finish = () => {
      clearTimeout(giveUp);
      const { videoWidth: width, videoHeight: height } = video;
      resolve(width > 0 && height > 0 ? { width, height } : null);
    };
    video.onloadedmetadata = finish;
    video.onerror = finish;
    video.preload = 'metadata';
    video.src = url;
  }).finally(() => {
    video.removeAttribute('src');
    URL.revokeObjectURL(url);
  });
}
