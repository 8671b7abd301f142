import { isInvisible } from '#shared/plain-line';

/** Whether HTML has no text to read, as saving it will judge. */
export function isBlank(html: string): boolean {
  return isInvisible(html.replace(/<[^>]*>|&nbsp;/g, ''));
}
