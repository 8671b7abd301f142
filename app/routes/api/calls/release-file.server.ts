import { DomainError } from '#shared/errors';
import { countDownload, findDownloadStart, recordDownloadStart } from '#shared/releases/downloads';
import { requireDownload } from '#shared/releases/list-releases';
import { PLATFORM_FILES, type Platform, type Release, type ReleaseFile } from '#shared/releases/release';
import { HttpRefusal } from '~/http/server/failures.server';
import { serverContext } from '~/http/server/context.server';
import { answerFileRequest, resumes, resumesUnconditionally } from '~/http/files/conditional-request.server';
import { fileBody, streamBody } from '~/http/files/file-body.server';

/** How long a link is valid: long enough to begin the transfer, because a client that resumes it requests a new link. */
const LINK_SECONDS = 300;

/** Not stored by shared caches; a private cache revalidates the file before it reuses it. No proxy may compress it. */
const CACHE_CONTROL = 'private, no-cache, no-transform';

/** A member's request for the file of a version, or of the latest release. */
interface Download {
  request: Request;
  accountId: string;
  sessionId: string;
  platform: Platform;
  version?: string | undefined;
}

interface Found {
  release: Release;
  file: ReleaseFile;
}

function fileReplaced(): HttpRefusal {
  return new HttpRefusal({
    status: 412,
    code: 'file_changed',
    message: 'The file has been replaced since this download began. Please download it from the start.',
  });
}

function outsideOfFile(size: number): HttpRefusal {
  return new HttpRefusal({
    status: 416,
    code: 'range_not_satisfiable',
    message: `The range is not within the file, which has ${size} bytes.`,
    headers: { 'Content-Range': `bytes */${size}` },
  });
}

/** The refusal for a file that the database has and the storage lacks. Logs it: an admin must upload the file again. */
function missingFile({ release: { version }, file: { platform, uploadId } }: Found): DomainError {
  serverContext().log.error(
    { version, platform, uploadId },
    'the file of a release is missing in the storage',
  );
  return new DomainError('NotFound', {
    code: 'file_missing',
    message: `The file of the ${PLATFORM_FILES[platform].label} version is missing on our side. Please try again later.`,
  });
}

/** Records a download that sends bytes. A database that cannot be written does not stop the download. */
async function record(
  { accountId, sessionId, platform, version }: Download,
  { release, file }: Found,
  { fromStart }: { fromStart: boolean },
): Promise<void> {
  const { db, clock, log } = serverContext();
  try {
    await countDownload(db, { releaseId: release.id, accountId, platform, clock });
    if (fromStart)
      await recordDownloadStart(db, { accountId, sessionId, platform, version, sha256: file.sha256, clock });
  } catch (error) {
    log.warn({ err: error }, 'a download could not be recorded');
  }
}

/**
 * Responds with the file that members download, with ranges and preconditions; if the
 * storage creates links, redirects to one. Records the download. Throws `NotFound`, and 412 and 416 refusals.
 */
export async function sendReleaseFile(download: Download): Promise<Response> {
  const { db } = serverContext();
  const found = await requireDownload(db, download);
  const response = await sendStored(download, found);
  if (response !== null) return response;
  // An admin may have replaced the file after it was looked up.
  const current = await requireDownload(db, download);
  const replaced = current.file.uploadId !== found.file.uploadId;
  const second = replaced ? await sendStored(download, current) : null;
  if (second === null) throw missingFile(current);
  return second;
}

/**
 * Throws the 412 refusal if the member's last download at this address, on this computer, began with another file: the
 * client would append the rest of this file to the beginning of the replaced one.
 */
async function requireSameFile(
  { accountId, sessionId, platform, version }: Download,
  { file: { sha256 } }: Found,
): Promise<void> {
  const started = await findDownloadStart(serverContext().db, { accountId, sessionId, platform, version });
  if (started !== null && started !== sha256) throw fileReplaced();
}

/** `sendReleaseFile` for a file that was looked up; null if the storage does not have it. */
async function sendStored(download: Download, found: Found): Promise<Response | null> {
  const { releaseStorage } = serverContext();
  const { request, platform } = download;
  const { uploadId, fileName, fileSize, sha256 } = found.file;
  const { mediaType } = PLATFORM_FILES[platform];

  if (resumesUnconditionally(request)) await requireSameFile(download, found);

  if ((await releaseStorage.size(uploadId, fileName)) !== fileSize) return null;
  const etag = `"${sha256}"`;
  const headers = new Headers({
    ETag: etag,
    'Cache-Control': CACHE_CONTROL,
    'Accept-Ranges': 'bytes',
    // RFC 9530, section 3.
    'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
  });
  const decision = answerFileRequest(request, { etag, size: fileSize });
  if (decision.status === 304) return new Response(null, { status: 304, headers });

  // A storage behind a link has its own ETags: the rest for a client that names ours is sent from here.
  if (request.method === 'GET' && request.headers.get('If-Range') !== etag) {
    const options = { downloadName: fileName, mediaType, seconds: LINK_SECONDS };
    const link = await releaseStorage.link(uploadId, fileName, options);
    if (link !== null) {
      // It applies the range and the other preconditions. S3 does not document If-Range, and S3-compatible servers ignore it.
      if (resumes(request)) await requireSameFile(download, found);
      await record(download, found, { fromStart: !resumes(request) });
      return new Response(null, { status: 302, headers: { Location: link, 'Cache-Control': 'no-store' } });
    }
  }

  if (decision.status === 412) throw fileReplaced();
  if (decision.status === 416) throw outsideOfFile(fileSize);
  const range = decision.status === 206 ? decision.range : { start: 0, end: fileSize - 1 };
  headers.set('Content-Type', mediaType);
  headers.set('Content-Disposition', `attachment; filename="${fileName}"`);
  headers.set('Content-Length', String(range.end - range.start + 1));
  if (decision.status === 206) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${fileSize}`);
  if (request.method === 'HEAD') return new Response(null, { headers });

  const body = await openBody(found.file, range);
  if (body === null) return null;
  await record(download, found, { fromStart: range.start === 0 });
  return new Response(body, { status: decision.status, headers });
}

/** The bytes of a file; null if the storage does not have it. */
async function openBody(
  { uploadId, fileName }: ReleaseFile,
  range: { start: number; end: number },
): Promise<ReadableStream<Uint8Array> | null> {
  const { releaseStorage } = serverContext();
  const local = await releaseStorage.openLocal(uploadId, fileName);
  if (local !== null) return fileBody(local, range);
  const stored = await releaseStorage.open(uploadId, fileName, range);
  return stored === null ? null : streamBody(stored.stream);
}
