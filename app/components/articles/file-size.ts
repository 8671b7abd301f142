const KILOBYTE = 1024;
const MEGABYTE = 1024 * KILOBYTE;

/** A file's size for people: "312 KB", "4.2 MB". `bytes` is a whole number. */
export function fileSizeInWords(bytes: number): string {
  if (bytes < MEGABYTE) return `${Math.max(1, Math.round(bytes / KILOBYTE))} KB`;
  return `${(bytes / MEGABYTE).toFixed(1)} MB`;
}
