import { createDiskStorage, uploadsFolder } from '#shared/storage/disk-storage.server';
import { listOrphanUploads } from '#shared/storage/orphan-uploads';
import { readArguments } from './arguments';
import { runTool, showUsage, UsageError, withDatabase, type CommandOutput } from './terminal';

const USAGE = `Use: npm run uploads -- orphans [--delete] [--json]

  orphans             list the folders in uploads/ that have no record in the database
  orphans --delete    delete them

An older backup of the database has no records of newer uploads: restore the right one before you delete.
--json prints one JSON object as the last line, also when the command fails.`;

const OPTIONS = { delete: { type: 'boolean', default: false } } as const;

/** `npm run uploads -- orphans [--delete]` */
async function main(args: string[]): Promise<CommandOutput> {
  const { values, positionals } = readArguments(args, { options: OPTIONS, usage: USAGE });
  const [command, ...rest] = positionals;
  if (values.help || command === undefined) return showUsage(USAGE);
  if (command !== 'orphans' || rest.length > 0) throw new UsageError(USAGE);
  return withDatabase(async (db, { dataDir }) => {
    const folder = uploadsFolder(dataDir);
    const storage = createDiskStorage(folder);
    const orphans = await listOrphanUploads({ db, storage });
    if (values.delete) for (const id of orphans) await storage.remove(id);
    const count = orphans.length === 1 ? '1 folder' : `${orphans.length} folders`;
    return {
      lines: [
        ...orphans,
        values.delete ? `Deleted ${count} in ${folder}.` : `${count} in ${folder} without a record.`,
      ],
      json: { success: true, folder, orphans, deleted: values.delete },
    };
  });
}

await runTool(main);
