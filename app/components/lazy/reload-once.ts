const KEY = 'reloaded-for:';
/** A part that is missing again after this long is another fault: a further release, or a new connection. */
const AGAIN_AFTER_MS = 60_000;

/**
 * Reloads the page, because a script file of it did not load: after a release the server may have it no longer, and the
 * new page names the new one. Returns false, and does nothing, when this was tried within the last minute, or when the
 * browser cannot remember that. `part`: what is missing.
 */
export function reloadOnce(part: string): boolean {
  try {
    const key = KEY + part;
    const last = Number(sessionStorage.getItem(key) ?? 0);
    const now = Date.now();
    if (last <= now && now - last < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(key, String(now));
    if (sessionStorage.getItem(key) !== String(now)) return false;
  } catch {
    return false;
  }
  window.location.reload();
  return true;
}
