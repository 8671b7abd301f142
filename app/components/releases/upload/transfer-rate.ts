import { SECOND } from '#shared/clock';
import { counted } from '#shared/format';

/** The speed is the mean over this time: long enough for a steady figure, short enough to follow the connection. */
const WINDOW_MS = 10 * SECOND;
/** Over a shorter time the speed would be that of local buffers. */
const MIN_MEASURED_MS = SECOND;

/** Measures the speed of a transfer over its last seconds. */
export function createTransferRate() {
  let samples: { bytes: number; at: number }[] = [];
  return {
    /** Notes how many bytes are transferred at a time (ms). */
    note(bytes: number, at: number) {
      // After a lost connection the server may have fewer bytes than were sent.
      if (bytes < (samples.at(-1)?.bytes ?? 0)) samples = [];
      samples.push({ bytes, at });
      // The oldest sample outside the window stays: the window begins between it and the next.
      const inside = samples.findIndex((sample) => sample.at >= at - WINDOW_MS);
      samples = samples.slice(Math.max(0, inside - 1));
    },
    /** Drops all measurements: after a pause they would include time without a transfer. */
    clear() {
      samples = [];
    },
    /** Bytes per second; null until enough is measured. */
    bytesPerSecond() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (first === undefined || last === undefined || last.at - first.at < MIN_MEASURED_MS) return null;
      return ((last.bytes - first.bytes) * SECOND) / (last.at - first.at);
    },
  };
}

/** Seconds until the rest is transferred; null while it is unknown. */
export function secondsLeft(restBytes: number, bytesPerSecond: number | null): number | null {
  return bytesPerSecond === null || bytesPerSecond <= 0 ? null : restBytes / bytesPerSecond;
}

/** "a few seconds", "about 40 seconds", "about 1 hour 5 minutes": rounded up, as coarse as the estimate. */
export function describeDuration(seconds: number): string {
  if (seconds <= 5) return 'a few seconds';
  if (seconds <= 55) return `about ${Math.ceil(seconds / 5) * 5} seconds`;
  const minutes = Math.ceil(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const parts = [
    ...(hours === 0 ? [] : [counted(hours, 'hour')]),
    ...(rest === 0 ? [] : [counted(rest, 'minute')]),
  ];
  return `about ${parts.join(' ')}`;
}
