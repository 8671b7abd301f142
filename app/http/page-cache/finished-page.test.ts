import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { finishPage, finishText, replaceNonce } from './finished-page.server';

const NONCE = 'ab+/cd==';
const POLICY = `default-src 'self'; script-src 'self' 'nonce-${NONCE}'; img-src 'self'`;
const hash = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

describe('a page without its nonce', () => {
  it('has the hash of every inline script, and no other', () => {
    const page = replaceNonce(
      `<script nonce="${NONCE}">one()</script><p>text</p><script type="module" nonce="${NONCE}" async="">\ntwo("é")</script>` +
        `<script nonce="${NONCE}" src="/a.js"></script><script>foreign()</script><script type="application/ld+json">{}</script>`,
      { nonce: NONCE, policy: POLICY },
    );
    const scripts = `script-src 'self' ${hash('one()')} ${hash('\ntwo("é")')}`;
    expect(page.policy).toBe(`default-src 'self'; ${scripts}; img-src 'self'`);
    expect(page.html).not.toContain('nonce');
    expect(page.html).toContain('<script>foreign()</script>');
  });

  it('has the hash of a repeated script once', () => {
    const twice = `<script nonce="${NONCE}">x</script>`.repeat(2);
    const { policy } = replaceNonce(twice, { nonce: NONCE, policy: POLICY });
    expect(policy.split(hash('x'))).toHaveLength(2);
  });
});

describe('a finished page', () => {
  it('has the same text in every encoding, and an ETag that depends only on the text', async () => {
    const html = '<h1>Größe</h1>'.repeat(50);
    const page = await finishText(html, { policy: 'policy' });
    expect(page.bodies.identity.toString()).toBe(html);
    expect(gunzipSync(page.bodies.gzip).toString()).toBe(html);
    expect(brotliDecompressSync(page.bodies.br).toString()).toBe(html);
    expect(page.etag).toMatch(/^W\/"[\w-]{27}"$/);
    expect((await finishText(html, { policy: 'another policy' })).etag).toBe(page.etag);
    expect((await finishText(`${html} `, { policy: 'policy' })).etag).not.toBe(page.etag);
  });

  const headers = { 'Content-Security-Policy': POLICY };

  it('is made from a public response', async () => {
    const page = await finishPage({ response: new Response(null, { headers }), html: '<p>news</p>' });
    expect(page?.bodies.identity.toString()).toBe('<p>news</p>');
    expect(page?.policy).not.toContain('nonce');
  });

  it.each([
    ['sets a cookie', { headers: { ...headers, 'Set-Cookie': 'theme=dark' } }],
    ['is not a success', { headers, status: 404 }],
    ['is a redirect', { headers: { Location: '/' }, status: 302 }],
    ['is not a page', { headers: { 'Content-Type': 'text/plain' } }],
  ])('is not made from a response that %s, whose body stays unread', async (_, init) => {
    const response = new Response('body', init);
    expect(await finishPage({ response })).toBeUndefined();
    expect(await response.text()).toBe('body');
  });
});
