import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { describePage, prepare, withoutNonce } from './rendered-page.server';

const NONCE = 'ab+/cd==';
const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

describe('a page without its nonce', () => {
  it('names every inline script by its hash, and those alone', () => {
    const page = withoutNonce(
      `<script nonce="${NONCE}">one()</script><p>text</p><script type="module" nonce="${NONCE}" async="">\ntwo("é")</script>` +
        `<script nonce="${NONCE}" src="/a.js"></script><script>foreign()</script><script type="application/ld+json">{}</script>`,
      NONCE,
    );
    expect(page.scriptSources).toEqual([hash('one()'), hash('\ntwo("é")')]);
    expect(page.html).not.toContain('nonce');
    expect(page.html).toContain('<script>foreign()</script>');
  });

  it('names a script that comes twice once', () => {
    const twice = `<script nonce="${NONCE}">x</script>`.repeat(2);
    expect(withoutNonce(twice, NONCE).scriptSources).toEqual([hash('x')]);
  });
});

describe('a page that is ready to be sent', () => {
  it('holds the same text in every encoding, under a name that follows from the text', async () => {
    const html = '<h1>Größe</h1>'.repeat(50);
    const page = await prepare(html, describePage(html, 'policy'));
    expect(page.bodies.identity.toString()).toBe(html);
    expect(gunzipSync(page.bodies.gzip).toString()).toBe(html);
    expect(brotliDecompressSync(page.bodies.br).toString()).toBe(html);
    expect(page.etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(describePage(html, 'another policy').etag).toBe(page.etag);
    expect(describePage(`${html} `, 'policy').etag).not.toBe(page.etag);
  });
});
