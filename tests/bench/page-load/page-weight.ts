import { gzipSync } from 'node:zlib';

/** The bytes that a browser loads for a page, plain and gzipped. */
export interface PageWeight {
  html: Bytes;
  js: Bytes & { files: number };
  css: Bytes & { files: number };
}

interface Bytes {
  bytes: number;
  gzip: number;
}

function weigh(text: string): Bytes {
  return { bytes: Buffer.byteLength(text), gzip: gzipSync(text).byteLength };
}

function add(sum: Bytes & { files: number }, { bytes, gzip }: Bytes): Bytes & { files: number } {
  return { bytes: sum.bytes + bytes, gzip: sum.gzip + gzip, files: sum.files + 1 };
}

async function textOf(url: URL): Promise<string> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url.pathname} answered ${response.status}`);
  return response.text();
}

/** Adds up a page and the scripts and stylesheets in its HTML, without those that load on demand. */
export async function weighPage(origin: string, path: string): Promise<PageWeight> {
  const html = await textOf(new URL(path, origin));
  // In the text of the script that starts the page.
  const scripts = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
  const styles = new Set(
    [...html.matchAll(/<link[^>]+rel="stylesheet"[^>]+href="([^"]+)"/g)].map(([, href]) => href),
  );
  let js = { bytes: 0, gzip: 0, files: 0 };
  for (const src of scripts) js = add(js, weigh(await textOf(new URL(src, origin))));
  let css = { bytes: 0, gzip: 0, files: 0 };
  for (const href of styles) css = add(css, weigh(await textOf(new URL(href ?? '', origin))));
  return { html: weigh(html), js, css };
}
