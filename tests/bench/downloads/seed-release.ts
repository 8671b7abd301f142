import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createSession } from '#shared/accounts/sessions';
import { systemClock, toIso } from '#shared/clock';
import type { Database } from '#shared/database/connection.server';
import { inTransaction } from '#shared/database/transaction';
import { newId } from '#shared/ids';
import { addReleaseFile } from '#shared/releases/add-release-file.server';
import { createDiskStorage, releasesFolder } from '#shared/storage/disk-storage.server';

const BLOCK_BYTES = 1024 * 1024;

/** The minimum that makes a file a Windows program (Microsoft, "PE Format"): MZ, the address of the header, the header. */
function programHead(): Buffer {
  const head = Buffer.alloc(BLOCK_BYTES, 0);
  head.write('MZ', 0, 'latin1');
  head.writeUInt32LE(64, 0x3c);
  head.write('PE\0\0', 64, 'latin1');
  head.writeUInt16LE(0x0002, 64 + 22);
  return head;
}

/** Writes a file of random bytes that begins like a Windows program. `bytes`: a multiple of 1 MiB. */
export function writeProgram(path: string, bytes: number): void {
  const file = openSync(path, 'w');
  writeSync(file, programHead());
  for (let written = BLOCK_BYTES; written < bytes; written += BLOCK_BYTES)
    writeSync(file, randomBytes(BLOCK_BYTES));
  closeSync(file);
}

/** Adds an admin with a session. Returns the session's token. */
export async function seedAdmin(db: Database): Promise<string> {
  const id = newId();
  const now = toIso(Date.now());
  await inTransaction(db, (trx) =>
    trx
      .insertInto('users')
      .values({
        id,
        email: 'admin@example.test',
        email_verified_at: now,
        username: 'Admin',
        role: 'admin',
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
  return (await createSession(db, { accountId: id, userAgent: null, clock: systemClock })).token;
}

/** Publishes a version with a Windows file of so many bytes. Returns the file's SHA-256. */
export async function seedRelease(
  db: Database,
  { dataDir, version, bytes }: { dataDir: string; version: string; bytes: number },
): Promise<string> {
  const storage = createDiskStorage(releasesFolder(dataDir));
  mkdirSync(storage.stagingFolder, { recursive: true });
  const path = join(storage.stagingFolder, newId());
  writeProgram(path, bytes);
  const release = await addReleaseFile(
    { db, storage, clock: systemClock },
    {
      version,
      platform: 'windows',
      file: { path, originalName: 'setup.exe', type: 'application/octet-stream', size: bytes },
      changes: {},
      actor: { userId: null },
    },
  );
  return release.files.windows?.sha256 ?? '';
}
