import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

export const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = '{app,daemon,shared}/**/*.{ts,tsx,mjs}';

/** A regular expression in the product's source. */
export interface ProductPattern {
  /** Its file, relative to the repository's folder. */
  file: string;
  pattern: RegExp;
}

/** Where the product reads text by means whose time can grow faster than the text. */
export interface ForeignText {
  literals: ProductPattern[];
  /** Files that build patterns with `RegExp`, so that their source does not show them. */
  builders: Set<string>;
  /** Files that call `normalize` of a string. */
  normalising: Set<string>;
}

/** Finds every regular expression in the product's sources, and every normalisation of a text. Tests are left out. */
export function findForeignText(): ForeignText {
  const found: ForeignText = { literals: [], builders: new Set(), normalising: new Set() };
  for (const file of globSync(SOURCES, { cwd: ROOT })) {
    if (/\.test\.tsx?$/.test(file)) continue;
    const text = readFileSync(join(ROOT, file), 'utf8');
    // Parsing takes most of the time, and most files have no regular expression.
    if (!/\bRegExp\(|\.normalize\(|[=(,:?&|[!>{};\s]\/[^/*\s]/.test(text)) continue;
    collect(ts.createSourceFile(file, text, ts.ScriptTarget.Latest), file, found);
  }
  return found;
}

function collect(source: ts.SourceFile, file: string, found: ForeignText): void {
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      found.literals.push({ file, pattern: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    }
    const builds = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (builds && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp')
      found.builders.add(file);
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'normalize') found.normalising.add(file);
    ts.forEachChild(node, visit);
  };
  visit(source);
}
