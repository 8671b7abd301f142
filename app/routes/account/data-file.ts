import { redirect, type ActionFunctionArgs } from '@remix-run/node';
import { inTransaction } from '#shared/database/transaction';
import {
  ARCHIVE_NAME,
  endExports,
  finishExport,
  requireExport,
  type AvailableExport,
} from '#shared/personal-data/data-exports';
import { requireMember } from '~/http/auth/session.server';
import { fileBody, streamBody } from '~/http/files/file-body.server';
import { serverContext } from '~/http/server/context.server';
import { failureOf, withTextFailures } from '~/http/server/failures.server';
import { currentRequest } from '~/http/server/request-context.server';

/** The file is sent to a form alone. */
export function loader() {
  return redirect('/account#data');
}

/** The bytes of an archive; null if the storage does not have it. */
async function openArchive({ uploadId, size }: AvailableExport): Promise<ReadableStream<Uint8Array> | null> {
  const { releaseStorage } = serverContext();
  const local = await releaseStorage.openLocal(uploadId, ARCHIVE_NAME);
  if (local !== null) return fileBody(local, { start: 0, end: size - 1 });
  const stored = await releaseStorage.open(uploadId, ARCHIVE_NAME);
  return stored === null ? null : streamBody(stored.stream);
}

/** Uses the link up when the last byte has left the process, and not when the client leaves before. */
function finishWhenSent(found: AvailableExport, accountId: string): void {
  const { db, releaseStorage: storage, clock, log } = serverContext();
  currentRequest()?.response?.once('finish', () => {
    finishExport({ db, storage, clock }, { accountId, found }).catch((error: unknown) =>
      log.error({ err: error, exportId: found.id }, 'could not remove a downloaded archive'),
    );
  });
}

/**
 * Sends the archive of a link to its owner. From our own server also where a storage creates links: such a link works for
 * all, and more than once. A link that has ended, or whose archive is lost, leads back to its page, which says what to do.
 */
export function action({ request }: ActionFunctionArgs) {
  return withTextFailures(async () => {
    const { account } = await requireMember(request);
    const { search, searchParams } = new URL(request.url);
    const { db, keyring, clock, log } = serverContext();
    const token = searchParams.get('token') ?? '';
    try {
      const found = await requireExport(db, { keyring, token, accountId: account.id, clock });
      const body = await openArchive(found);
      if (body === null) {
        log.error({ exportId: found.id, uploadId: found.uploadId }, 'an archive is missing in the storage');
        await inTransaction(db, (trx) => endExports(trx, account.id, clock.now()));
        return redirect(`/account/data${search}`, { status: 303 });
      }
      finishWhenSent(found, account.id);
      return new Response(body, {
        headers: {
          'Content-Type': 'application/zip',
          'Content-Length': String(found.size),
          'Content-Disposition': `attachment; filename="${ARCHIVE_NAME}"`,
          'Cache-Control': 'no-store, no-transform',
        },
      });
    } catch (error) {
      if (failureOf(error)?.status !== 404) throw error;
      return redirect(`/account/data${search}`, { status: 303 });
    }
  });
}
