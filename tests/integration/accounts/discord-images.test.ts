import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Account } from '#shared/accounts/account';
import { FREE_MEMBERSHIP } from '#shared/subscriptions/membership';
import { toProfile } from '#shared/accounts/profile';
import { uploadsFolder } from '#shared/storage/disk-storage.server';
import { sweepUploads } from '#shared/storage/sweep-uploads';
import { serverContext } from '~/http/server/context.server';
import { drawAvatar } from '../../../sandbox/discord/draw-avatar';
import { createApiFixture, type ApiFixture } from '../api/api-fixture';

const FIRST = '0123456789abcdef0123456789abcdef';
const SECOND = 'a_fedcba9876543210fedcba9876543210';
const DISCORD_ID = '150000000000000042';

let cdn: Server;
let answerWith: RequestListener;
let requestedPaths: string[];
let fixture: ApiFixture;

beforeAll(async () => {
  cdn = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    answerWith(request, response);
  });
  await new Promise<void>((resolve) => cdn.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  cdn.close();
  cdn.closeAllConnections();
});
beforeEach(async () => {
  requestedPaths = [];
  answerWith = (_request, response) => void response.end(drawAvatar(FIRST, 128));
  fixture = await createApiFixture({
    DISCORD_CDN_URL: `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/`,
  });
});
afterEach(() => fixture.cleanup());

async function changeAvatar(account: Account, avatar: string | null): Promise<Account> {
  return fixture.db
    .updateTable('users')
    .set({ discord_avatar: avatar })
    .where('id', '=', account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const memberWith = (avatar: string | null) =>
  fixture.account('member', { discord_id: DISCORD_ID, discord_username: 'ann', discord_avatar: avatar });

/** Refreshes the avatar as a sign-in does, waits for it, and reads the account. */
async function refreshed(account: Account): Promise<Account> {
  const { discordImages, db } = serverContext();
  discordImages.refresh(account);
  await discordImages.settled();
  return db.selectFrom('users').selectAll().where('id', '=', account.id).executeTakeFirstOrThrow();
}

const uploads = () => fixture.db.selectFrom('uploads').select(['id', 'kind', 'status']).execute();
const folder = () => uploadsFolder(serverContext().config.dataDir);
const fileOf = (path: string) => join(folder(), path.slice('/uploads/'.length));
const filesThere = () =>
  existsSync(folder())
    ? readdirSync(folder(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    : [];

describe('a member’s Discord avatar', () => {
  it('is fetched, re-encoded and stored', async () => {
    const account = await refreshed(await memberWith(FIRST));
    expect(requestedPaths).toEqual([`/avatars/${DISCORD_ID}/${FIRST}.png?size=128`]);
    const path = account.discord_picture ?? '';
    expect(path).toMatch(/^\/uploads\/[\da-f-]{36}\/128\.webp$/);
    expect(toProfile({ account, membership: FREE_MEMBERSHIP }).discord?.avatar).toBe(path);
    expect(await sharp(readFileSync(fileOf(path))).metadata()).toMatchObject({
      format: 'webp',
      width: 128,
      height: 128,
    });

    await sweepUploads(serverContext(), 'uploads');
    expect(await uploads()).toEqual([expect.objectContaining({ kind: 'avatar', status: 'attached' })]);
    expect(existsSync(fileOf(path))).toBe(true);
  });

  it('is fetched again only when its hash has changed, and replaces the earlier copy', async () => {
    const first = await refreshed(await memberWith(FIRST));
    expect(await refreshed(first)).toEqual(first);
    expect(requestedPaths).toHaveLength(1);

    const second = await refreshed(await changeAvatar(first, SECOND));
    expect(requestedPaths[1]).toBe(`/avatars/${DISCORD_ID}/${SECOND}.png?size=128`);
    expect(second.discord_picture).not.toBe(first.discord_picture);
    expect(await uploads()).toHaveLength(1);
    expect(existsSync(fileOf(first.discord_picture ?? ''))).toBe(false);
    expect(existsSync(fileOf(second.discord_picture ?? ''))).toBe(true);
  });

  it('is removed when the Discord account has none any more', async () => {
    const first = await refreshed(await memberWith(FIRST));
    const after = await refreshed(await changeAvatar(first, null));
    expect(after).toMatchObject({ discord_picture: null, discord_picture_hash: null });
    expect(await uploads()).toEqual([]);
    expect(filesThere()).toEqual([]);
  });

  it('is not stored when it changed during the fetch', async () => {
    const account = await memberWith(FIRST);
    answerWith = (_request, response) =>
      void changeAvatar(account, SECOND).then(() => response.end(drawAvatar(FIRST, 128)));
    expect(await refreshed(account)).toMatchObject({ discord_picture: null, discord_avatar: SECOND });
    expect(await uploads()).toEqual([]);
  });
});

describe('when the avatar cannot be fetched', () => {
  const faults: Record<string, RequestListener> = {
    'Discord responds with 404': (_request, response) => void response.writeHead(404).end(),
    'the response is a redirect': (_request, response) =>
      void response.writeHead(302, { location: '/elsewhere.png' }).end(),
    'the response is not an image': (_request, response) =>
      void response.end('<html>One moment please</html>'),
    'the image is damaged': (_request, response) => void response.end(drawAvatar(FIRST, 128).subarray(0, 60)),
    'the connection is lost': (_request, response) => void response.destroy(),
    'the response has no end': (_request, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    },
  };

  it.each(Object.keys(faults))('the earlier copy is kept, and no files are left: %s', async (fault) => {
    const first = await refreshed(await memberWith(FIRST));
    const logged = vi.spyOn(serverContext().log, 'warn');
    answerWith = faults[fault] ?? answerWith;
    const after = await refreshed(await changeAvatar(first, SECOND));
    expect(after).toMatchObject({
      discord_picture: first.discord_picture,
      discord_picture_hash: FIRST,
    });
    expect(await uploads()).toHaveLength(1);
    expect(filesThere()).toHaveLength(1);
    expect(requestedPaths.filter((path) => path.includes('elsewhere'))).toEqual([]);
    expect(logged.mock.calls).toHaveLength(1);
  });

  it('a pending fetch is aborted when the process stops', async () => {
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    answerWith = () => arrived();
    const account = await memberWith(FIRST);
    serverContext().discordImages.refresh(account);
    await waiting;
    await serverContext().discordImages.close();
    expect(await uploads()).toEqual([]);
  });

  it.each(['../../api/v10/users', '', 'x'.repeat(32)])('nothing is fetched for the hash %j', async (hash) => {
    expect((await refreshed(await memberWith(hash))).discord_picture).toBeNull();
    expect(requestedPaths).toEqual([]);
  });
});
