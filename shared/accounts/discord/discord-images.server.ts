import { Readable } from 'node:stream';
import { SECOND, toIso } from '../../clock';
import { inTransaction } from '../../database/transaction';
import type { Logger } from '../../logger.server';
import { storeImage } from '../../storage/images/store-image.server';
import { uploadIdOf } from '../../storage/upload-path';
import {
  abandonUpload,
  beginUpload,
  removeDeletedUploads,
  markUploadsDeleted,
  attachUpload,
  type StorageContext,
} from '../../storage/upload-records';
import type { Account } from '../account';

/** Far more than a PNG of 128 by 128 pixels needs. */
const MAX_IMAGE_BYTES = 512 * 1024;
const FETCH_TIMEOUT_MS = 5 * SECOND;
/** Discord's avatar hash; `a_` marks an animated image (Discord docs, "Reference", Image Formatting). */
const HASH = /^(?:a_)?[\da-f]{32}$/;

/** Why an image was not copied. Excludes Discord's response body. */
class ImageFault extends Error {}

/** Keeps local copies of members' Discord avatars. */
export interface DiscordImages {
  /** Updates an avatar's copy in the background if its hash has changed. Never throws; the next sign-in tries again. */
  refresh(account: Account): void;
  /** Resolves when no download is in flight. */
  settled(): Promise<void>;
  /** Aborts the downloads in flight. */
  close(): Promise<void>;
}

/** Downloads an image. Throws `ImageFault`, or an error of `fetch`: a redirect, a lost connection, the time limit. */
async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { redirect: 'error', signal });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new ImageFault(`Discord answered ${response.status}`);
  }
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= MAX_IMAGE_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  throw new ImageFault(`the image is larger than ${MAX_IMAGE_BYTES} bytes`);
}

/** Replaces an account's copy of its avatar (null: none). Returns false if the avatar has changed again. */
async function showImage(
  context: StorageContext,
  account: Account,
  image: { path: string; uploadId: string } | null,
): Promise<boolean> {
  const outdated = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const current = await trx
      .selectFrom('users')
      .select('discord_picture')
      .where('id', '=', account.id)
      .where('discord_id', '=', account.discord_id)
      .where('discord_avatar', account.discord_avatar === null ? 'is' : '=', account.discord_avatar)
      .executeTakeFirst();
    if (current === undefined) return null;
    if (image !== null) await attachUpload(trx, image.uploadId, now);
    await trx
      .updateTable('users')
      .set({
        discord_picture: image?.path ?? null,
        discord_picture_hash: account.discord_avatar,
        updated_at: toIso(now),
      })
      .where('id', '=', account.id)
      .execute();
    const before = current.discord_picture === null ? null : uploadIdOf(current.discord_picture);
    const ids = before === null ? [] : [before];
    await markUploadsDeleted(trx, ids, now);
    return ids;
  });
  if (outdated === null) return false;
  await removeDeletedUploads(context, outdated);
  return true;
}

/** `cdnUrl`: Discord's image CDN, without a trailing slash. */
export function createDiscordImages({
  log,
  cdnUrl,
  ...context
}: StorageContext & { log: Logger; cdnUrl: string }): DiscordImages {
  const { db, storage, clock } = context;
  const inFlight = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function fetchAndStore(account: Account, hash: string): Promise<void> {
    if (!HASH.test(hash)) throw new ImageFault('Discord returned an invalid avatar hash');
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    const bytes = await download(`${cdnUrl}/avatars/${account.discord_id}/${hash}.png?size=128`, signal);
    const received = await storage.receive(Readable.from([bytes]), {
      accepted: { 'image/png': MAX_IMAGE_BYTES },
      signal: closing.signal,
    });
    if (received.kind !== 'received') throw new ImageFault(`the response is not a PNG: ${received.kind}`);
    try {
      const uploadId = await beginUpload(db, { kind: 'avatar', clock });
      let shown = false;
      try {
        const { sources, largest } = await storeImage(storage, uploadId, received);
        shown = await showImage(context, account, { path: (sources[0] ?? largest).path, uploadId });
      } finally {
        if (!shown) await abandonUpload(context, uploadId);
      }
    } finally {
      await storage.discard(received.path);
    }
  }

  async function refresh(account: Account): Promise<void> {
    try {
      if (account.discord_avatar === null) await showImage(context, account, null);
      else await fetchAndStore(account, account.discord_avatar);
    } catch (error) {
      if (!closing.signal.aborted)
        log.warn({ accountId: account.id, err: error }, 'copying a Discord image failed');
    }
  }

  return {
    refresh(account) {
      const isCurrent = account.discord_avatar === account.discord_picture_hash;
      if (account.discord_id === null || isCurrent || inFlight.has(account.id)) return;
      const work = refresh(account).finally(() => inFlight.delete(account.id));
      inFlight.set(account.id, work);
    },
    async settled() {
      await Promise.all(inFlight.values());
    },
    async close() {
      closing.abort();
      await Promise.all(inFlight.values());
    },
  };
}
