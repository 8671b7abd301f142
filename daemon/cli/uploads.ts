import { DomainError } from '#shared/errors';
import { openStorage, type StorageArea } from '#shared/storage/open-storage.server';
import { listOrphanUploads } from '#shared/storage/orphan-uploads';
import { readArguments } from './arguments';
import {
  createTool,
  showUsage,
  UsageError,
  withDatabase,
  type CommandOutput,
  type Environment,
} from './terminal';

const USAGE = `Use: npm run uploads -- orphans [--delete] [--json]

  orphans             list the folders of uploads and releases that have no record in the database
  orphans --delete    delete them

An older backup of the database has no records of newer uploads: restore the right one before you delete.
--json prints one JSON object as the last line, also when the command fails.`;

const OPTIONS = { delete: { type: 'boolean', default: false } } as const;

/** `npm run uploads -- orphans [--delete]` */
async function main(args: string[], environment: Environment): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  if (command !== 'orphans' || rest.length > 0) throw new UsageError(USAGE);
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
      if (values.delete) for (const id of orphans) await storage.remove(id);
      const count = orphans.length === 1 ? '1 folder' : `${orphans.length} folders`;
      lines.push(
        ...orphans,
        values.delete
          ? `Deleted ${count} in ${storage.location}.`
          : `${count} in ${storage.location} without a record.`,
      );
      return { folder: storage.location, orphans };
    }
    const uploads = await handle('uploads');
    const releases = await handle('releases');
    return { lines, json: { success: true, ...uploads, releases, deleted: values.delete } };
  });
}

export const tool = createTool(main);
