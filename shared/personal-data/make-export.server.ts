import { MINUTE, toIso } from '../clock';
import { DomainError } from '../errors';
import { addMail } from '../mail/mails';
import { createOutboxSender, type OutboxSender, type SenderContext } from '../outbox/outbox-sender';
import type { Outcome } from '../outbox/outcome';
import { ANY_TYPE } from '../storage/file-rule';
import type { FileStorage } from '../storage/storage';
import { abandonUpload, attachUpload, beginUpload } from '../storage/upload-records';
import { ARCHIVE_NAME, exportOutbox, LINK_LIFETIME_MS, type DataExport } from './data-exports';
import { writeArchive } from './write-archive.server';

/** Far more than the archive of a busy account, which has some 10 MB. */
const MAX_ARCHIVE_BYTES = 2 * 1024 ** 3;
/** Longer than the largest archive takes; another attempt follows. */
const MAKING_LIMIT_MS = 10 * MINUTE;

type Making = Outcome<{ uploadId: string; size: number }>;

export interface ExportSenderContext extends SenderContext<DataExport, Making> {
  /** Where archives are stored: an area that is never public. */
  storage: FileStorage;
}

/** Makes an archive and stores it under a pending upload. */
async function make(
  { db, clock, storage }: ExportSenderContext,
  { user_id: accountId }: DataExport,
): Promise<Making> {
  const now = clock.now();
  const owner = await db
    .selectFrom('users')
    .select(['id', 'email', 'discord_id'])
    .where('id', '=', accountId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  if (owner === undefined) return { kind: 'cancelled', reason: 'the account is disabled' };
  const uploadId = await beginUpload(db, { kind: 'export', clock });
  try {
    const received = await storage.receive(writeArchive(db, { owner, now }), {
      accepted: { [ANY_TYPE]: MAX_ARCHIVE_BYTES },
      signal: AbortSignal.timeout(MAKING_LIMIT_MS),
    });
    if (received.kind !== 'received') throw new Error(`an archive was refused: ${received.kind}`);
    await storage.put(uploadId, ARCHIVE_NAME, { path: received.path });
    return { kind: 'ok', uploadId, size: received.size };
  } catch (error) {
    await abandonUpload({ db, storage, clock }, uploadId);
    throw error;
  }
}

/** Makes the archives that members request. The transaction that finishes one adds the mail with its link. */
export function createExportSender(context: ExportSenderContext): OutboxSender<DataExport, Making> {
  return createOutboxSender<'data_exports', Making>(context, {
    outbox: exportOutbox,
    log: { ok: 'made an archive', cancelled: 'no longer needed', failed: 'could not make an archive' },
    async send(row) {
      try {
        return await make(context, row);
      } catch (error) {
        context.logger.warn({ err: error, exportId: row.id }, 'could not make an archive of personal data');
        return { kind: 'retry', reason: error instanceof DomainError ? error.code : 'see the log' };
      }
    },
    adjust: async (_trx, attempts, now) =>
      attempts.map(({ outcome, change }) =>
        outcome.kind === 'ok'
          ? {
              ...change,
              upload_id: outcome.uploadId,
              file_size: outcome.size,
              available_until: toIso(now + LINK_LIFETIME_MS),
            }
          : change,
      ),
    async follow(trx, attempts, now) {
      for (const { after, outcome } of attempts) {
        if (outcome.kind !== 'ok') continue;
        await attachUpload(trx, outcome.uploadId, now);
        const { email } = await trx
          .selectFrom('users')
          .select('email')
          .where('id', '=', after.user_id)
          .executeTakeFirstOrThrow();
        const availableUntil = toIso(now + LINK_LIFETIME_MS);
        const facts = { template: 'data_export' as const, exportId: after.id, availableUntil };
        await addMail(
          trx,
          { to: email, template: facts.template, facts, expiresAt: now + LINK_LIFETIME_MS },
          now,
        );
      }
      return undefined;
    },
    describe: ({ id }) => ({ exportId: id }),
  });
}
