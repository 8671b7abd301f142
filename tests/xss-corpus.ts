import { readFileSync } from 'node:fs';

const FOLDER = new URL('./fixtures/xss/', import.meta.url);
const FILES = ['handlers', 'scripts', 'addresses', 'elements', 'foreign', 'malformed'];

function read(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

export interface HtmlPayload {
  name: string;
  html: string;
}

export interface TextPayload {
  name: string;
  text: string;
}

/** Contents of articles that would run code if they reached a browser as they are. */
export const xssContents: readonly HtmlPayload[] = FILES.flatMap(
  (name) => JSON.parse(read(`${name}.json`)) as HtmlPayload[],
);

/** Titles and excerpts that would, if they were taken for markup. */
export const xssTexts = JSON.parse(read('texts.json')) as readonly TextPayload[];

/** Everything that the editor's toolbar can make, as it is stored. */
export const fullToolbarHtml = read('full-toolbar.html').trimEnd();
