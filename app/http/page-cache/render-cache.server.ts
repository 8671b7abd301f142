import { LRUCache } from 'lru-cache';
import { newId } from '#shared/ids';
import { sizeOf, type RenderedPage } from './rendered-page.server';

/** Some hundred pages; the least used go first. */
const MOST_BYTES = 24 * 1024 * 1024;

/** Carries a ticket from the front to the page's rendering. Only ever ours: an inbound value is dropped. */
export const RENDER_TICKET_HEADER = 'x-render-ticket';

/** A page that is being rendered for the cache. One of the two ends it. */
export interface Rendering {
  /** Keeps what was rendered, and hands it to whoever waits. */
  fill(page: RenderedPage): void;
  /** Nothing will come: whoever waits renders for himself. */
  giveUp(): void;
}

/** Pages that were rendered once and may be sent again, each under a key that says what it was made from. */
export interface RenderCache {
  find(key: string): RenderedPage | undefined;
  /** What somebody else's rendering of this page ends with, null when nothing came of it; undefined: nobody renders it. */
  awaitRender(key: string): Promise<RenderedPage | null> | undefined;
  /** Announces that the page is about to be rendered. `freshMs`: how long it will be good. */
  open(key: string, freshMs: number): string;
  /** The announced rendering, for whoever does it; null for a ticket that is none of ours, or was taken or recalled. */
  take(ticket: string): Rendering | null;
  /** Nobody took it up and nobody will. Does nothing once it was taken. */
  recall(ticket: string): void;
}

/** A cache for this process alone; the keys see to it that processes agree. */
export function createRenderCache(): RenderCache {
  const pages = new LRUCache<string, RenderedPage>({ maxSize: MOST_BYTES, sizeCalculation: sizeOf });
  const awaited = new Map<string, Promise<RenderedPage | null>>();
  const announced = new Map<string, Rendering>();

  function take(ticket: string): Rendering | null {
    const rendering = announced.get(ticket) ?? null;
    announced.delete(ticket);
    return rendering;
  }

  return {
    find: (key) => pages.get(key),
    awaitRender: (key) => awaited.get(key),
    open(key, freshMs) {
      const ticket = newId();
      const outcome = new Promise<RenderedPage | null>((resolve) => {
        const end = (page: RenderedPage | null) => {
          awaited.delete(key);
          resolve(page);
        };
        announced.set(ticket, {
          fill(page) {
            pages.set(key, page, { ttl: freshMs });
            end(page);
          },
          giveUp: () => end(null),
        });
      });
      awaited.set(key, outcome);
      return ticket;
    },
    take,
    recall: (ticket) => take(ticket)?.giveUp(),
  };
}
