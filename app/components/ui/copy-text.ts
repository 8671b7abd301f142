/** Copies a text. Returns false if the browser denies access to the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // `navigator.clipboard` is undefined on plain HTTP.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
