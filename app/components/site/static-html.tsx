import { useState } from 'react';
import { usePageRender } from './page-render';

/** HTML of the document by name, for a part of the page that is rendered again. */
const brought = new Map<string, string>();

function readBrought(name: string): string {
  const html = brought.get(name) ?? document.querySelector(`[data-html="${name}"]`)?.innerHTML ?? '';
  brought.set(name, html);
  return html;
}

interface StaticHtmlProps {
  /** Unique on the site. */
  name: string;
  /** Null: the document holds the HTML, and the page's data does not repeat it (`http/server/document-html.server.ts`). */
  html: string | null;
  className: string;
}

/** HTML from the server. */
export function StaticHtml({ name, html, className }: StaticHtmlProps) {
  const { documentHtml } = usePageRender();
  const [first] = useState(
    () => html ?? (documentHtml === undefined ? readBrought(name) : (documentHtml[name] ?? '')),
  );
  return <div data-html={name} className={className} dangerouslySetInnerHTML={{ __html: html ?? first }} />;
}
