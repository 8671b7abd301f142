import type { Page } from 'playwright/test';

/** Does what page translators do: it replaces each text by a `<font>` element, now and whenever one is added. */
function replaceTexts(): void {
  const replace = (text: Text) => {
    const parent = text.parentElement;
    if (parent === null || text.data.trim() === '') return;
    if (/^(?:SCRIPT|STYLE|TEXTAREA|NOSCRIPT|FONT)$/.test(parent.nodeName)) return;
    if (parent.closest('[translate=no],.notranslate,[contenteditable=true]') !== null) return;
    const outer = document.createElement('font');
    const inner = document.createElement('font');
    inner.append(text.data);
    outer.append(inner);
    text.replaceWith(outer);
  };
  const replaceAll = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode() !== null) texts.push(walker.currentNode as Text);
    texts.forEach(replace);
  };
  replaceAll(document.body);
  new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes)
        if (node instanceof Text) replace(node);
        else if (node.nodeName !== 'FONT') replaceAll(node);
  }).observe(document.body, { childList: true, subtree: true });
}

/** Translates the page that is open, as a browser does, until another document is opened. */
export const translatePage = (page: Page): Promise<void> => page.evaluate(replaceTexts);
