import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { parseHtml } from './parse-html';
import { emptyPage, type ParsedPage } from './parsed-page';
import { walkPage, type PageListener } from './walk-page';

/**
 * Parses the answer's body: HTML into its visible text and its scripts, frames and forms; JSON (also if a browser wrapped
 * it in a bare page) into its value; anything else as plain text or as unreadable. `listener` follows the walk through
 * HTML. Never throws.
 */
export function parsePage(answer: PageAnswer, listener: PageListener | null = null): ParsedPage {
  const body = answer.body.trim();
  if (body === '') return emptyPage('empty');
  if (looksBinary(body)) return emptyPage('other');
  if (body.startsWith('{') || body.startsWith('[')) {
    const json = parseJson(body);
    if (json !== undefined) return { ...emptyPage('json'), json };
  }
  if (isOtherFormat(body, answer)) return emptyPage('other');
  if (!/<[a-z!/?]/i.test(body)) {
    const text = emptyPage('text');
    walkPage(parseHtml(`<pre>${body.replaceAll('&', '&amp;')}</pre>`), text);
    return { ...text, addressedText: text.text };
  }
  const html = parseHtml(body);
  let page = emptyPage('html');
  walkPage(html, page, { listener });
  if (page.text === '' && page.addressedText === '') {
    // A page whose whole content is hidden fades in later.
    page = emptyPage('html');
    walkPage(html, page, { revealed: true, listener });
  }
  const shown = jsonShownByBrowser(body);
  return shown === undefined ? page : { ...emptyPage('json'), json: shown };
}

function looksBinary(body: string): boolean {
  const start = body.slice(0, 4096);
  if (start.includes('\u0000')) return true;
  let broken = 0;
  for (let index = 0; index < start.length; index += 1) {
    const code = start.charCodeAt(index);
    if (code === 0xfffd || (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12))
      broken += 1;
  }
  return broken > 8 && broken / start.length > 0.05;
}

function isOtherFormat(body: string, answer: PageAnswer): boolean {
  const header = answer.headers['content-type'];
  const type = (typeof header === 'string' ? header : (header?.[0] ?? '')).toLowerCase();
  if (/^(?:image|audio|video|font)\/|javascript|text\/css|application\/(?:pdf|zip|octet-stream)/.test(type)) {
    return !/<html[\s>]/i.test(body.slice(0, 2000));
  }
  return /^(?:<\?xml[^>]*>)?\s*(?:<!--[^]{0,500}?-->\s*)?<(?:rss|feed|urlset|sitemapindex|error|svg)[\s>]/i.test(
    body.slice(0, 3000),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The JSON of a page that Chromium made of a JSON response: a bare page with one pre element. Undefined otherwise. */
function jsonShownByBrowser(body: string): unknown {
  const bare =
    /^(?:<!doctype[^>]*>)?\s*<html[^>]{0,200}>\s*<head>(?:\s*<meta[^>]{0,200}>)*\s*<\/head>\s*<body[^>]{0,200}>\s*<pre[^>]{0,200}>(\s*[[{][^<]*)<\/pre>/i.exec(
      body,
    );
  if (bare?.[1] === undefined) return undefined;
  const text = bare[1].replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return parseJson(text.replaceAll('&amp;', '&').trim());
}
