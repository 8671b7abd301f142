import type { AppLoadContext } from '@remix-run/node';

/**
 * Gives HTML to the document that is being rendered and returns null, so that the page's data does not repeat it; returns
 * the HTML for a navigation in the browser, which gets data alone. `html`: by the names of its `StaticHtml`.
 */
export function inDocument<Name extends string>(
  context: AppLoadContext,
  html: Record<Name, string>,
): Record<Name, string> | null {
  // Only the page cache renders documents alone.
  if (context.takeHtml === undefined) return html;
  context.documentHtml = { ...context.documentHtml, ...html };
  return null;
}
