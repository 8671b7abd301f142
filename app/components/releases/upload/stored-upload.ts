import { DAY } from '#shared/clock';
import type { Platform } from '#shared/releases/release';

const PREFIX = 'packwatch_release_upload:';
/** The server keeps an upload that has not ended for a day. */
const LIFETIME_MS = DAY;

export interface UploadedFile {
  file: File;
  version: string;
  platform: Platform;
}

function keyOf({ file: { name, size, lastModified }, version, platform }: UploadedFile): string {
  return `${PREFIX}${JSON.stringify([version, platform, name, size, lastModified])}`;
}

function isFresh(text: string | null): boolean {
  const { storedAt } = JSON.parse(text ?? '{}') as { storedAt?: unknown };
  return typeof storedAt === 'number' && Date.now() - storedAt < LIFETIME_MS;
}

/** Local storage may be disabled, full, or contain text that another script wrote. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/** The address of an upload of the same file that has not ended, from an earlier visit; null for none. */
export function readStoredUpload(upload: UploadedFile): string | null {
  return attempt(() => {
    const text = localStorage.getItem(keyOf(upload));
    if (!isFresh(text)) return null;
    const { address } = JSON.parse(text ?? '{}') as { address?: unknown };
    return typeof address === 'string' ? address : null;
  });
}

/** Stores the address of an upload, so that choosing the same file resumes it after a reload. */
export function storeUpload(upload: UploadedFile, address: string): void {
  attempt(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX) && attempt(() => isFresh(localStorage.getItem(key))) !== true)
        localStorage.removeItem(key);
    }
    localStorage.setItem(keyOf(upload), JSON.stringify({ address, storedAt: Date.now() }));
  });
}

/** Removes the address of an upload that has ended. */
export function forgetStoredUpload(upload: UploadedFile): void {
  attempt(() => localStorage.removeItem(keyOf(upload)));
}
