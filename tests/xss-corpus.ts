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

/** Article contents that would run code in a browser without sanitising. */
export const xssContents: readonly HtmlPayload[] = FILES.flatMap(
  (name) => JSON.parse(read(`${name}.json`)) as HtmlPayload[],
);

/** Titles and excerpts that would run code if they were treated as markup. */
export const xssTexts = JSON.parse(read('texts.json')) as readonly TextPayload[];

/** Everything that the editor's toolbar can make, in stored form. */
export const fullToolbarHtml = read('full-toolbar.html').trimEnd();
