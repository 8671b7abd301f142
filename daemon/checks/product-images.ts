import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { SECOND, type Clock } from '#shared/clock';
import type { Database } from '#shared/database/schema';
import { DomainError } from '#shared/errors';
import type { Logger } from '#shared/logger.server';
import type { HostVisits, Visit } from '#shared/monitor/hosts/host-visits';
import {
  failImage,
  findPending,
  listPendingImages,
  type PendingImage,
} from '#shared/monitor/products/product-image';
import { ImageTooSmall, storeProductImage } from '#shared/monitor/products/store-product-image.server';
import { explainFetchFailure } from '#shared/network/explain-fetch-failure';
import type { PublicWeb } from '#shared/network/public-web.server';
import { repeat, type Repeated } from '#shared/repeat';
import { ImageRefused } from '#shared/storage/images/image-variants.server';
import type { FileStorage, Received } from '#shared/storage/storage';

const LOOK_EVERY_MS = 3 * SECOND;
/** Images of one look: each may take as long as the limit. */
const PER_LOOK = 10;
/** For the whole answer, redirects included. */
const FETCH_LIMIT_MS = 20 * SECOND;
const MAX_REDIRECTS = 3;
const MAX_BYTES = 10 * 1024 * 1024;
const ACCEPTED = Object.fromEntries(
  ['jpeg', 'png', 'webp', 'gif', 'avif'].map((kind) => [`image/${kind}`, MAX_BYTES]),
);

/** Why an image was not stored, as a sentence for an admin. */
class ImageFault extends Error {}

interface ImagesContext {
  db: Database;
  clock: Clock;
  logger: Logger;
  hostVisits: HostVisits;
  web: Pick<PublicWeb, 'request'>;
  storage: FileStorage;
  /** Aborts at shutdown. */
  signal: AbortSignal;
}

/**
 * Fetches the images of products that admins have saved, one after the other, each once and in a turn of its host, and
 * stores them. A fetch that fails is noted for the admins, and not repeated.
 */
export function createProductImages(context: ImagesContext): { start(): void; stop(): Promise<void> } {
  const { db, logger, signal } = context;

  async function look(): Promise<void> {
    for (const image of await listPendingImages(db, PER_LOOK)) {
      if (signal.aborted) return;
      try {
        await fetchImage(context, image);
      } catch (error) {
        if (signal.aborted) return;
        // Stays pending: the disk or the database cannot be used.
        logger.warn({ err: error, productId: image.productId }, 'could not store the image of a product');
      }
    }
  }

  let timer: Repeated | null = null;
  return {
    start() {
      timer = repeat(look, {
        everyMs: LOOK_EVERY_MS,
        onFailure: (error) => logger.warn({ err: error }, 'could not look for images of products'),
      });
    },
    async stop() {
      await timer?.stop();
    },
  };
}

async function fetchImage(context: ImagesContext, image: PendingImage): Promise<void> {
  const { db, hostVisits, storage, signal } = context;
  const { url: pageUrl } = image;
  // Without a turn within a minute, the next look tries again.
  await hostVisits.visit({ pageUrl, ignoresPause: false, signal }, async (visit) => {
    if ((await findPending(db, image)) === undefined) return;
    try {
      const file = await receive(context, image, visit);
      try {
        await storeProductImage(context, { image, file });
      } finally {
        await storage.discard(file.path);
      }
    } catch (error) {
      signal.throwIfAborted();
      const isFault =
        error instanceof ImageFault || error instanceof ImageRefused || error instanceof ImageTooSmall;
      if (!isFault) throw error;
      await failImage(db, image, error.message);
    }
  });
}

const FAULTS = {
  empty: 'The answer is empty.',
  type: 'The answer is no JPEG, PNG, WebP, GIF or AVIF image.',
  size: 'The image is larger than 10 MB.',
} as const;

/** Requests an image and receives it into a file. Throws `ImageFault`, and what the storage throws. */
async function receive(
  { web, storage, signal: stop }: ImagesContext,
  { url, isPermitted }: PendingImage,
  visit: Visit,
): Promise<Extract<Received, { kind: 'received' }>> {
  const refusal = isPermitted ? null : visit.robotsRefusal(url);
  if (refusal !== null) throw new ImageFault(refusal);
  const signal = AbortSignal.any([stop, AbortSignal.timeout(FETCH_LIMIT_MS)]);
  let received: Received;
  try {
    const body = await requestImage(new URL(url), { web, signal, visit });
    received = await storage.receive(Readable.from(body), { accepted: ACCEPTED, signal });
  } catch (error) {
    stop.throwIfAborted();
    // The storage's own failure is none of the host's.
    if (error instanceof ImageFault || error instanceof DomainError) throw error;
    const cause = signal.aborted ? { code: 'ABORT_ERR' } : error;
    throw new ImageFault(explainFetchFailure(cause, new URL(url)));
  }
  if (received.kind !== 'received') throw new ImageFault(FAULTS[received.kind]);
  return received;
}

/** The body of the answer, after redirects. */
async function requestImage(
  start: URL,
  { web, signal, visit }: { web: ImagesContext['web']; signal: AbortSignal; visit: Visit },
): Promise<Dispatcher.ResponseData['body']> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    visit.onRequest();
    const { statusCode, headers, body } = await web.request(url, {
      signal,
      headers: { 'user-agent': 'Packwatch', accept: 'image/avif,image/webp,image/*;q=0.8' },
    });
    body.on('error', () => undefined);
    visit.note({ kind: statusCode === 429 ? 'refusal' : 'nothing', askedPauseMs: 0 });
    if (statusCode === 200) return body;
    body.destroy();
    const next = statusCode >= 400 ? null : URL.parse([headers.location ?? ''].flat()[0] ?? '', url);
    if (next === null || !/^https?:$/.test(next.protocol))
      throw new ImageFault(`${url.host} answered with HTTP ${statusCode}.`);
    url = next;
  }
  throw new ImageFault(`${start.host} redirects more than ${MAX_REDIRECTS} times.`);
}
