import { Readable } from 'node:stream';
import { SECOND, toIso } from '../../clock';
import { inTransaction } from '../../database/transaction';
import type { Logger } from '../../logger.server';
import { storeImage } from '../../storage/store-image.server';
import {
  abandonUpload,
  beginUpload,
  removeDeletedUploads,
  markUploadsDeleted,
  attachUpload,
  type StorageContext,
} from '../../storage/upload-records';
import { uploadIdOf } from '../../storage/upload-path';
import type { Account } from '../account';

/** Far more than a PNG of 128 by 128 pixels needs. */
const LARGEST_BYTES = 512 * 1024;
const FETCH_TIMEOUT_MS = 5 * SECOND;
/** A hash as Discord makes it; `a_` marks an animated picture (Discord docs, "Reference", Image Formatting). */
const HASH = /^(?:a_)?[\da-f]{32}$/;

/** Why there is no copy of a picture. Says nothing that Discord's answer says. */
class ImageFault extends Error {}

/** Keeps our own copies of the pictures that members have at Discord. */
export interface DiscordImages {
  /**
   * Brings the copy of an account's picture up to date in the background, if its hash has changed. Never throws: a
   * picture that cannot be fetched is logged, the copy of before stays, and the next sign-in tries again.
   */
  refresh(account: Account): void;
  /** Resolves when no picture is being fetched. */
  settled(): Promise<void>;
  /** Gives up what is being fetched. */
  close(): Promise<void>;
}

/** The bytes of a picture. Throws `ImageFault`, or what `fetch` throws: a redirect, a lost connection, the time limit. */
async function download(url: string, signal: AbortSignal): Promise<Buffer> {
  const response = await fetch(url, { redirect: 'error', signal });
  if (!response.ok || response.body === null) {
    await response.body?.cancel();
    throw new ImageFault(`Discord answered ${response.status}`);
  }
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size <= LARGEST_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    size += value.byteLength;
  }
  await reader.cancel();
  throw new ImageFault(`the picture is larger than ${LARGEST_BYTES} bytes`);
}

/**
 * Writes which copy an account shows, and lets go of the one of before. `picture`: null for none. False, and nothing
 * written, when the account's picture has changed again meanwhile.
 */
async function showPicture(
  context: StorageContext,
  account: Account,
  picture: { path: string; uploadId: string } | null,
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
    if (picture !== null) await attachUpload(trx, picture.uploadId, now);
    await trx
      .updateTable('users')
      .set({
        discord_picture: picture?.path ?? null,
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

/** `cdnUrl`: where Discord serves pictures, without a trailing slash. */
export function createDiscordImages({
  log,
  cdnUrl,
  ...context
}: StorageContext & { log: Logger; cdnUrl: string }): DiscordImages {
  const { db, storage, clock } = context;
  const inFlight = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function fetchAndKeep(account: Account, hash: string): Promise<void> {
    if (!HASH.test(hash)) throw new ImageFault('Discord named a hash that is none');
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(FETCH_TIMEOUT_MS)]);
    const bytes = await download(`${cdnUrl}/avatars/${account.discord_id}/${hash}.png?size=128`, signal);
    const received = await storage.receive(Readable.from([bytes]), {
      accepted: { 'image/png': LARGEST_BYTES },
      signal: closing.signal,
    });
    if (received.is !== 'received') throw new ImageFault(`the answer is no PNG: ${received.is}`);
    try {
      const uploadId = await beginUpload(db, { kind: 'avatar', clock });
      let shown = false;
      try {
        const { sources, largest } = await storeImage(storage, uploadId, received);
        shown = await showPicture(context, account, { path: (sources[0] ?? largest).path, uploadId });
      } finally {
        if (!shown) await abandonUpload(context, uploadId);
      }
    } finally {
      await storage.discard(received.path);
    }
  }

  async function refresh(account: Account): Promise<void> {
    try {
      if (account.discord_avatar === null) await showPicture(context, account, null);
      else await fetchAndKeep(account, account.discord_avatar);
    } catch (error) {
      if (!closing.signal.aborted)
        log.warn({ accountId: account.id, err: error }, 'a Discord picture could not be kept');
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
