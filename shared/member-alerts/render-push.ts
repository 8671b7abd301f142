import { PRODUCT_NAME } from '../brand';
import type { MemberMessage } from './read-batch';

/**
 * The payload of a push message for `public/push-worker.js`: a notification with the same `tag` replaces an older one;
 * `url` is a page of ours, which leads to the shop.
 */
export function renderPush({ kind, watch, openedAt }: MemberMessage, appUrl: string): string {
  if (kind === 'test')
    return JSON.stringify({
      title: `Test: alerts from ${PRODUCT_NAME} reach you`,
      body: 'Nothing has opened. This is the test that you asked for.',
      url: `${appUrl}/account`,
      tag: 'test',
      at: openedAt,
    });
  return JSON.stringify({
    title: `${watch.shop}: the waiting room is open`,
    body: watch.title === watch.shop ? 'Join now.' : `${watch.title}. Join now.`,
    url: `${appUrl}/restock/${watch.slug}`,
    tag: `alert-${watch.slug}`,
    at: openedAt,
  });
}
