import { pino } from 'pino';
import { createWriteRetrier } from '#shared/database/write-retrier';
import { dataExportMailSchema, dataExportUrl } from '#shared/mail/data-export-mail';
import { createExportSender } from '#shared/personal-data/make-export.server';
import { serverContext } from '~/http/server/context.server';
import { attemptDue } from '../../attempt';

/** Makes the archives that are due now, as the daemon does. */
export async function makeDueExports(
  changes: Partial<Pick<Parameters<typeof createExportSender>[0], 'storage' | 'owner'>> = {},
): Promise<void> {
  const { db, clock, releaseStorage } = serverContext();
  const sender = createExportSender({
    db,
    clock,
    storage: releaseStorage,
    logger: pino({ level: 'silent' }),
    owner: 'test',
    outcomes: createWriteRetrier({ onWait: () => undefined }),
    ...changes,
  });
  await attemptDue(sender);
}

/** The path of the newest mailed link to an account's archive. */
export async function mailedLink(email: string): Promise<string> {
  const { db, keyring } = serverContext();
  const { data } = await db
    .selectFrom('mails')
    .select('data')
    .where('recipient', '=', email)
    .where('template', '=', 'data_export')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const facts = dataExportMailSchema.parse(JSON.parse(data ?? 'null'));
  return `${dataExportUrl({ keyring, appUrl: '' }, facts)}`;
}

/** The bytes of an account's archive that is stored now. */
export async function storedArchive(accountId: string): Promise<Buffer> {
  const { db, releaseStorage } = serverContext();
  const { upload_id: uploadId } = await db
    .selectFrom('data_exports')
    .select('upload_id')
    .where('user_id', '=', accountId)
    .where('upload_id', 'is not', null)
    .executeTakeFirstOrThrow();
  const stored = await releaseStorage.open(uploadId ?? '', 'packwatch-data.zip');
  if (stored === null) throw new Error('the archive is missing');
  const chunks: Buffer[] = [];
  for await (const chunk of stored.stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
