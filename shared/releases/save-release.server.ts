import type { Selectable } from 'kysely';
import { writeAudit, type Actor } from '../audit/write-audit';
import { toIso, type Clock } from '../clock';
import type { Database, Transaction } from '../database/schema';
import type { ReleasesTable } from '../database/tables/releases';
import { inTransaction } from '../database/transaction';
import { DomainError } from '../errors';
import { newId } from '../ids';
import { markUploadsDeleted, removeDeletedUploads, type StorageContext } from '../storage/upload-records';
import type { Release, ReleaseChanges } from './release';
import { releaseNotFound, toRelease } from './release-rows';
import { requireNoUpload } from './release-uploads';

type Row = Selectable<ReleasesTable>;

function versionExists(version: string): DomainError {
  const sentence = `Version ${version} exists already.`;
  return new DomainError('Conflict', {
    code: 'version_exists',
    message: sentence,
    fieldErrors: { version: [sentence] },
  });
}

function findRow(trx: Transaction, version: string): Promise<Row | undefined> {
  return trx.selectFrom('releases').selectAll().where('version', '=', version).executeTakeFirst();
}

async function insertRelease(
  trx: Transaction,
  { fields, actor, now }: { fields: Required<ReleaseChanges>; actor: Actor; now: number },
): Promise<Row> {
  const { version, releaseNotes, isBeta, published } = fields;
  const at = toIso(now);
  const row: Row = {
    id: newId(),
    version,
    release_notes: releaseNotes,
    release_notes_html: await renderNotes(releaseNotes),
    is_beta: isBeta ? 1 : 0,
    published: published ? 1 : 0,
    published_at: published ? at : null,
    created_at: at,
    updated_at: at,
  };
  await trx.insertInto('releases').values(row).execute();
  await writeAudit(
    trx,
    { actor, action: 'release.create', subject: row.id, details: { version, isBeta, published } },
    now,
  );
  return row;
}

async function renderNotes(notes: string): Promise<string> {
  const { renderReleaseNotes } = await import('./release-notes.server');
  return renderReleaseNotes(notes);
}

/** Writes changes and an audit entry for each kind of change; nothing when nothing changes. */
async function updateRelease(
  trx: Transaction,
  { row, changes, actor, now }: { row: Row; changes: ReleaseChanges; actor: Actor; now: number },
): Promise<Row> {
  const { version = row.version, releaseNotes = row.release_notes } = changes;
  const isBeta = changes.isBeta ?? row.is_beta === 1;
  const published = changes.published ?? row.published === 1;
  const fields = [
    ...(version === row.version ? [] : ['version']),
    ...(releaseNotes === row.release_notes ? [] : ['releaseNotes']),
    ...(isBeta === (row.is_beta === 1) ? [] : ['isBeta']),
  ];
  const isPublishing = published !== (row.published === 1);
  if (fields.length === 0 && !isPublishing) return row;

  const at = toIso(now);
  const after: Row = {
    ...row,
    version,
    release_notes: releaseNotes,
    release_notes_html:
      releaseNotes === row.release_notes ? row.release_notes_html : await renderNotes(releaseNotes),
    is_beta: isBeta ? 1 : 0,
    published: published ? 1 : 0,
    published_at: row.published_at ?? (published ? at : null),
    updated_at: at,
  };
  await trx.updateTable('releases').set(after).where('id', '=', row.id).execute();
  const audit = (action: string, details: Record<string, unknown>): Promise<void> =>
    writeAudit(trx, { actor, action, subject: row.id, details }, now);
  if (fields.length > 0) {
    const renamed = version === row.version ? {} : { from: row.version };
    await audit('release.update', { version, ...renamed, fields });
  }
  if (isPublishing) await audit(published ? 'release.publish' : 'release.withdraw', { version });
  return after;
}

/** Creates a release without files. Throws `Conflict` if the version exists. */
export function createRelease(
  db: Database,
  { fields, actor, clock }: { fields: Required<ReleaseChanges>; actor: Actor; clock: Clock },
): Promise<Release> {
  return inTransaction(db, async (trx) => {
    if ((await findRow(trx, fields.version)) !== undefined) throw versionExists(fields.version);
    return toRelease(trx, await insertRelease(trx, { fields, actor, now: clock.now() }));
  });
}

/** Changes a release. Throws `NotFound`, and `Conflict` for a version that is taken, or whose file is being uploaded. */
export function changeRelease(
  db: Database,
  { id, changes, actor, clock }: { id: string; changes: ReleaseChanges; actor: Actor; clock: Clock },
): Promise<Release> {
  return inTransaction(db, async (trx) => {
    const now = clock.now();
    const row = await trx.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw releaseNotFound();
    if (changes.version !== undefined && changes.version !== row.version) {
      if ((await findRow(trx, changes.version)) !== undefined) throw versionExists(changes.version);
      await requireNoUpload(trx, { version: row.version, now });
    }
    return toRelease(trx, await updateRelease(trx, { row, changes, actor, now }));
  });
}

/**
 * Changes the release of a version, or creates it: then without notes, not beta and published, unless `changes` says
 * otherwise. For transactions that add a file.
 */
export async function saveVersion(
  trx: Transaction,
  {
    version,
    changes,
    actor,
    now,
  }: { version: string; changes: Omit<ReleaseChanges, 'version'>; actor: Actor; now: number },
): Promise<Row> {
  const row = await findRow(trx, version);
  if (row !== undefined) return updateRelease(trx, { row, changes, actor, now });
  const fields = { releaseNotes: '', isBeta: false, published: true, ...changes, version };
  return insertRelease(trx, { fields, actor, now });
}

/** Deletes a release with its files. Throws `NotFound`, and `Conflict` while one of its files is being uploaded. */
export async function deleteRelease(
  context: StorageContext,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  const uploadIds = await inTransaction(context.db, async (trx) => {
    const now = context.clock.now();
    const row = await trx
      .selectFrom('releases')
      .select(['version', 'published'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (row === undefined) throw releaseNotFound();
    await requireNoUpload(trx, { version: row.version, now });
    const files = await trx
      .deleteFrom('release_files')
      .where('release_id', '=', id)
      .returning(['upload_id', 'platform'])
      .execute();
    await trx.deleteFrom('releases').where('id', '=', id).execute();
    const ids = files.map(({ upload_id }) => upload_id);
    await markUploadsDeleted(trx, ids, now);
    await writeAudit(
      trx,
      {
        actor,
        action: 'release.delete',
        subject: id,
        details: { version: row.version, platforms: files.map(({ platform }) => platform) },
      },
      now,
    );
    return ids;
  });
  await removeDeletedUploads(context, uploadIds);
}
