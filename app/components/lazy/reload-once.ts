const KEY = 'reloaded-for:';
/** A part that is missing again after this long is another fault: a further release, or a new connection. */
const AGAIN_AFTER_MS = 60_000;

/** Notes that a missing part leads to another document. Returns false if it did within the last minute, or cannot be noted. */
function noteOnce(part: string): boolean {
  // The browser's own error page would replace this one.
  if (!navigator.onLine) return false;
  try {
    const key = KEY + part;
    const last = Number(sessionStorage.getItem(key) ?? 0);
    const now = Date.now();
    if (last <= now && now - last < AGAIN_AFTER_MS) return false;
    sessionStorage.setItem(key, String(now));
    return sessionStorage.getItem(key) === String(now);
  } catch {
    return false;
  }
}

/**
 * Reloads the page, because a script file of it did not load: after a release the server may have it no longer, and the
 * new page names the new one. Returns false, and does nothing, when this was tried within the last minute, when the browser
 * cannot remember that, or is offline. `part`: what is missing.
 */
export function reloadOnce(part: string): boolean {
  if (!noteOnce(part)) return false;
  window.location.reload();
  return true;
}

/** Opens an address of this site as a new document, because a script file of its page did not load; as `reloadOnce` does. */
export function openOnce(part: string, address: string): boolean {
  if (!noteOnce(part)) return false;
  window.location.assign(address);
  return true;
}
