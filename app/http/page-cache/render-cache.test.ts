import { describe, expect, it } from 'vitest';
import { createRenderCache } from './render-cache.server';
import { describePage, prepare } from './rendered-page.server';

const page = (html: string) => prepare(html, describePage(html, 'policy'));

describe('the render cache', () => {
  it('hands what one rendering made to everybody who waited, and to everybody later', async () => {
    const cache = createRenderCache();
    expect(cache.awaitRender('key')).toBeUndefined();
    const ticket = cache.open('key', 60_000);
    const waiting = cache.awaitRender('key');
    const made = await page('made');
    cache.take(ticket)?.fill(made);
    expect(await waiting).toBe(made);
    expect(cache.find('key')).toBe(made);
    expect(cache.awaitRender('key')).toBeUndefined();
  });

  it('lets whoever waits go when the rendering comes to nothing', async () => {
    const cache = createRenderCache();
    const ticket = cache.open('key', 60_000);
    const waiting = cache.awaitRender('key');
    cache.take(ticket)?.giveUp();
    expect(await waiting).toBeNull();
    expect(cache.find('key')).toBeUndefined();
  });

  it('recalls a ticket that nobody took, and no other', async () => {
    const cache = createRenderCache();
    const untaken = cache.open('one', 60_000);
    const waiting = cache.awaitRender('one');
    cache.recall(untaken);
    expect(await waiting).toBeNull();

    const taken = cache.open('two', 60_000);
    const rendering = cache.take(taken);
    cache.recall(taken);
    const made = await page('made');
    rendering?.fill(made);
    expect(cache.find('two')).toBe(made);
  });

  it('takes a ticket once, and none that it did not give', () => {
    const cache = createRenderCache();
    const ticket = cache.open('key', 60_000);
    expect(cache.take(ticket)).not.toBeNull();
    expect(cache.take(ticket)).toBeNull();
    expect(cache.take('forged')).toBeNull();
  });
});
