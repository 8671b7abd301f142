import MarkdownIt from 'markdown-it';
import { renderToStaticMarkup } from 'react-dom/server';
import { groupAnchor, sectionAnchor } from '~/components/developers/anchors';
import { CodeBlock } from '~/components/developers/code-block';
import type { DevelopersText } from '~/components/developers/developers-page';
import { ReferenceView } from '~/components/developers/reference';
import { readReference } from './reference.server';
import { serverContext } from '~/http/server/context.server';
import { readDocument } from '~/routes/api/document.server';
import guide from '../../../docs/api.md?raw';

const LANGUAGES: Record<string, string> = { js: 'JavaScript', http: 'HTTP', sh: 'Shell' };

/** Renders the guide. Its headings become one level lower, with ids, because the page has its own title. */
function renderGuide(markdown: string): Pick<DevelopersText, 'guideHtml' | 'sections'> {
  const renderer = new MarkdownIt();
  const sections: DevelopersText['sections'] = [];
  renderer.core.ruler.push('headings', ({ tokens }) => {
    tokens.forEach((token, at) => {
      if (token.type !== 'heading_open' && token.type !== 'heading_close') return;
      const level = Number(token.tag.slice(1));
      token.tag = `h${level + 1}`;
      if (token.type === 'heading_close') return;
      const name = tokens[at + 1]?.content ?? '';
      const anchor = sectionAnchor(name);
      token.attrSet('id', anchor);
      if (level === 2) sections.push({ anchor, name });
    });
  });
  renderer.renderer.rules.fence = (tokens, at) => {
    const { content = '', info = '' } = tokens[at] ?? {};
    return renderToStaticMarkup(<CodeBlock text={content.trimEnd()} language={LANGUAGES[info] ?? 'Text'} />);
  };
  return { guideHtml: renderer.render(markdown), sections };
}

let cached: { appUrl: string; text: DevelopersText } | null = null;

/** The text of the developers' page. It changes only with a release, so it is made once. */
export function readDevelopersText(): DevelopersText {
  const { appUrl } = serverContext().config;
  if (cached?.appUrl !== appUrl) {
    const reference = readReference(readDocument());
    const text = {
      ...renderGuide(guide.replaceAll('http://localhost:3000', appUrl)),
      referenceHtml: renderToStaticMarkup(<ReferenceView reference={reference} />),
      groups: reference.groups.map(({ name }) => ({ anchor: groupAnchor(name), name })),
    };
    cached = { appUrl, text };
  }
  return cached.text;
}
