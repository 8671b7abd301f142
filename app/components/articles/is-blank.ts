/** Whether HTML has no text to read. */
export function isBlank(html: string): boolean {
  return html.replace(/<[^>]*>|&nbsp;/g, '').trim() === '';
}
