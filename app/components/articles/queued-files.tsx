import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { FEATURED_IMAGE_FAILED, UPLOAD_FAILED } from './article-texts';
import { fileSizeInWords } from './file-size';
import { FilePreview } from './file-preview';
import type { QueuedFile, UploadQueue } from './use-upload-queue';

/** The files that were chosen and have not arrived yet, each with how far it is. */
export function QueuedFiles({ uploads }: { uploads: UploadQueue }) {
  const { files, featuredFailed } = uploads;
  const failed = files.some(({ state }) => state === 'failed');
  const sending = files.find(({ state }) => state === 'sending');
  return (
    <>
      <p aria-live="polite" className="sr-only">
        {sending === undefined ? null : `Uploading ${sending.file.name}`}
      </p>
      {failed ? <Notice kind="error">{UPLOAD_FAILED}</Notice> : null}
      {featuredFailed ? <Notice kind="error">{FEATURED_IMAGE_FAILED}</Notice> : null}
      {files.length === 0 ? null : (
        <ul aria-label="Files to upload" className="grid gap-3">
          {files.map((queued) => (
            <Queued key={queued.key} queued={queued} uploads={uploads} />
          ))}
        </ul>
      )}
    </>
  );
}

function Queued({
  queued: { key, file, state, progress, reason },
  uploads,
}: {
  queued: QueuedFile;
  uploads: UploadQueue;
}) {
  const id = `queued-${key}`;
  return (
    <li className="grid grid-cols-[72px_minmax(0,1fr)] items-center gap-x-4 gap-y-2 sm:grid-cols-[72px_minmax(0,1fr)_auto]">
      <FilePreview file={file} />
      <div className="min-w-0">
        <p id={id} className="truncate font-semibold">
          {file.name}
        </p>
        {state === 'sending' ? (
          <progress
            aria-labelledby={id}
            max={1}
            value={progress}
            className="mt-1 block h-2 w-full accent-brand"
          />
        ) : (
          <p className={`text-small ${state === 'failed' ? 'text-live' : 'text-soft'}`}>
            {state === 'failed' ? reason : `${fileSizeInWords(file.size)}, not uploaded yet`}
          </p>
        )}
        {file.type.startsWith('image/') && state !== 'failed' ? (
          <label className="mt-1 flex w-fit cursor-pointer items-center gap-2 text-small font-semibold">
            <input
              type="checkbox"
              checked={uploads.featured === key}
              onChange={(event) => uploads.feature(event.currentTarget.checked ? key : null)}
              className="size-5 cursor-pointer accent-brand"
            />
            Featured image
            <span className="sr-only"> {file.name}</span>
          </label>
        ) : null}
      </div>
      <p className="col-start-2 flex flex-wrap gap-2.5 sm:col-start-auto">
        {state === 'failed' ? (
          <Button type="button" onClick={() => uploads.retry(key)}>
            Try again<span className="sr-only"> {file.name}</span>
          </Button>
        ) : null}
        {state === 'sending' ? null : (
          <Button type="button" onClick={() => uploads.remove(key)}>
            Remove<span className="sr-only"> {file.name}</span>
          </Button>
        )}
      </p>
    </li>
  );
}
