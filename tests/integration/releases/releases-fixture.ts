import { createHash } from 'node:crypto';
import { releasesFolder } from '#shared/storage/disk-storage.server';
import { serverContext } from '~/http/server/context.server';
import { windowsProgram } from '../../fixtures/releases/programs';
import { callApi, type ApiFixture, type ApiResponse } from '../api/api-fixture';
import { storedFiles } from '../uploads/media-fixture';

/** A release in responses, as far as tests read it. */
export interface ReleaseBody {
  id: string;
  version: string;
  published: boolean;
  platforms: Record<string, { fileName: string; fileSize: number; sha256: string; url: string }>;
}

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
/** The release in a response. */
export const releaseOf = ({ body }: ApiResponse): ReleaseBody => body.release as ReleaseBody;

/** The parts of an upload in order; a `Uint8Array` is the file. */
export type Parts = readonly (readonly [name: string, value: string | Uint8Array, fileName?: string])[];

export const program = windowsProgram();
/** The parts of a valid upload. */
export const parts = ({
  version = '1.4.0',
  platform = 'windows',
  file = program,
  name = 'Setup.EXE',
}: { version?: string; platform?: string; file?: Uint8Array; name?: string } = {}): Parts => [
  ['version', version],
  ['platform', platform],
  ['file', file, name],
];

function formOf(all: Parts): FormData {
  const form = new FormData();
  for (const [name, value, fileName] of all) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)]), fileName);
  }
  return form;
}

export function upload(token: string, all: Parts = parts()): Promise<ApiResponse> {
  return callApi('POST', '/api/downloads/upload', { token, form: formOf(all) });
}

/** The bytes of a form, and its media type. */
export async function encode(all: Parts): Promise<{ bytes: Uint8Array; headers: Record<string, string> }> {
  const sent = new Response(formOf(all));
  const headers = { 'Content-Type': sent.headers.get('Content-Type') ?? '' };
  return { bytes: new Uint8Array(await sent.arrayBuffer()), headers };
}

/** The files of releases by their path in the storage. */
export function storedReleaseFiles(): string[] {
  return storedFiles(releasesFolder(serverContext().config.dataDir));
}

/** Removes all releases, their files and the audit log. */
export async function clearReleases({ db }: ApiFixture): Promise<void> {
  for (const table of ['release_files', 'release_uploads', 'releases', 'audit_log', 'uploads'] as const)
    await db.deleteFrom(table).execute();
  const { releaseStorage } = serverContext();
  for (const id of await releaseStorage.list()) await releaseStorage.remove(id);
}

/** Everything that an upload may leave: rows and files. */
export async function stored({ db }: ApiFixture) {
  const count = async (table: 'releases' | 'release_files' | 'release_uploads' | 'uploads') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  return {
    files: storedReleaseFiles(),
    rows: [await count('releases'), await count('release_files'), await count('uploads')],
    running: await count('release_uploads'),
  };
}

export const NOTHING = { files: [], rows: [0, 0, 0], running: 0 };

/** The actions in the audit log. */
export async function audit({ db }: ApiFixture): Promise<string[]> {
  const rows = await db.selectFrom('audit_log').select('action').orderBy('created_at').execute();
  return rows.map(({ action }) => action);
}
