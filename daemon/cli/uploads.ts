import { DomainError } from '#shared/errors';
import { openStorage, type StorageArea } from '#shared/storage/open-storage.server';
import { listOrphanUploads } from '#shared/storage/sweep-uploads';
import { createProgram, defineCommand } from './command-line';
import { withDatabase, type CommandOutput, type Environment } from './terminal';

function handleOrphans(environment: Environment, deletes: boolean): Promise<CommandOutput> {
  return withDatabase(environment, async (db, config) => {
    const lines: string[] = [];
    async function handle(area: StorageArea): Promise<{ folder: string; orphans: string[] }> {
      const storage = openStorage(config, area);
      const orphans = await listOrphanUploads({ db, storage }).catch(async (error: unknown) => {
        // Says what to mend, which the refusal for visitors does not.
        const message = await storage.findFault();
        if (message === null) throw error;
        throw new DomainError('Unavailable', { code: 'storage_unavailable', message, cause: error });
      });
      if (deletes) for (const id of orphans) await storage.remove(id);
      const count = orphans.length === 1 ? '1 folder' : `${orphans.length} folders`;
      lines.push(
        ...orphans,
        deletes
          ? `Deleted ${count} in ${storage.location}.`
          : `${count} in ${storage.location} without a record.`,
      );
      return { folder: storage.location, orphans };
    }
    const uploads = await handle('uploads');
    const releases = await handle('releases');
    return { lines, json: { success: true, ...uploads, releases, deleted: deletes } };
  });
}

/** `npm run uploads -- orphans [--delete]` */
export const tool = createProgram({
  start: 'npm run uploads --',
  commands: {
    orphans: defineCommand({
      use: 'orphans [--delete]',
      help: [
        'list the folders of uploads and releases that have no record in the database; with --delete, delete',
        'them. An older backup of the database has no records of newer uploads: restore the right one first.',
      ],
      options: { delete: { type: 'boolean' } },
      run: ({ values, environment }) => handleOrphans(environment, values.delete === true),
    }),
  },
});
