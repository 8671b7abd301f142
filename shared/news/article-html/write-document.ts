import { normaliseBlocks, type Block, type ListItem, type Run } from './article-document';
import { classesOf, LINK_RELATIONS, MARKS, type Align, type Mark } from './article-format';

// Not `escapeHtml`: the stored form escapes as browsers do when they write HTML (html.spec.whatwg.org, "escaping a string").
const escapeText = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\u00a0', '&nbsp;');

const escapeAttribute = (text: string) => escapeText(text).replaceAll('"', '&quot;');

/** Writes an article as HTML; an empty one as the empty string. */
export function writeDocument(blocks: readonly Block[]): string {
  return normaliseBlocks(blocks).map(writeBlock).join('\n');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'text': {
      const open = `<${block.tag}${classes(block.align, block.indent)}>`;
      return `${open}${block.runs.length === 0 ? '<br>' : writeRuns(block.runs)}</${block.tag}>`;
    }
    case 'quote':
      return `<blockquote>${block.blocks.map(writeBlock).join('')}</blockquote>`;
    case 'code':
      return `<pre><code>${escapeText(block.text)}</code></pre>`;
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul';
      return `<${tag}>${block.items.map(writeItem).join('')}</${tag}>`;
    }
  }
}

function writeItem({ runs, align, nested }: ListItem): string {
  return `<li${classes(align, 0)}>${writeRuns(runs)}${nested.map(writeBlock).join('')}</li>`;
}

function classes(align: Align, indent: number): string {
  const names = classesOf(align, indent);
  return names === '' ? '' : ` class="${names}"`;
}

/** Links are outermost, so that a link with different marks stays one link. */
function writeRuns(runs: readonly Run[]): string {
  let html = '';
  for (let start = 0; start < runs.length;) {
    const href = hrefOf(runs[start]);
    let end = start + 1;
    while (end < runs.length && hrefOf(runs[end]) === href) end += 1;
    const inner = writeMarked(runs.slice(start, end), MARKS);
    html += href === null ? inner : `<a href="${escapeAttribute(href)}" rel="${LINK_RELATIONS}">${inner}</a>`;
    start = end;
  }
  return html;
}

function hrefOf(run: Run | undefined): string | null {
  return run === undefined || run.kind === 'break' ? null : run.href;
}

const hasMark = (run: Run | undefined, mark: Mark) => run?.kind === 'text' && run.marks.includes(mark);

/** Opens the mark with the longest reach first, which needs the fewest elements. */
function writeMarked(runs: readonly Run[], marks: readonly Mark[]): string {
  let html = '';
  for (let start = 0; start < runs.length;) {
    let mark: Mark | null = null;
    let end = start;
    for (const candidate of marks) {
      let reach = start;
      while (hasMark(runs[reach], candidate)) reach += 1;
      if (reach > end) [mark, end] = [candidate, reach];
    }
    if (mark === null) {
      html += writeRun(runs[start]);
      start += 1;
    } else {
      const inner = writeMarked(
        runs.slice(start, end),
        marks.filter((other) => other !== mark),
      );
      html += `<${mark}>${inner}</${mark}>`;
      start = end;
    }
  }
  return html;
}

function writeRun(run: Run | undefined): string {
  if (run === undefined) return '';
  if (run.kind === 'text') return escapeText(run.text);
  if (run.kind === 'break') return '<br>';
  const size =
    run.width === null || run.height === null ? '' : ` width="${run.width}" height="${run.height}"`;
  return `<img src="${escapeAttribute(run.src)}" alt="${escapeAttribute(run.alt)}"${size}>`;
}
