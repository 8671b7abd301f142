import { useState, type DragEvent } from 'react';
import { ANIMATION_RULE } from '#shared/storage/images/animation';
import { MEDIA_ACCEPT } from '#shared/news/media/media-rules';
import { AnimationNote } from '~/components/animations/animation-note';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { formatFileSize } from '#shared/format';
import { ImageCanvas } from '~/components/ui/image-canvas';
import { useHydrated } from '~/components/ui/use-hydrated';
import { FEATURED_IMAGE_FAILED, UPLOAD_FAILED } from './articles';
import type { QueuedFile, UploadQueue } from './use-upload-queue';

/** The upload queue of an article that is not saved yet. */
export function QueuePanel({ uploads }: { uploads: UploadQueue }) {
  const hydrated = useHydrated();
  return (
    <section aria-labelledby="queue-heading" className="grid gap-4 border-t border-line pt-5">
      <h3 id="queue-heading" className="text-lead leading-tight">
        Images and videos
      </h3>
      {hydrated ? (
        <>
          <FileChooser label="Add images and videos" onFiles={uploads.add} />
          <QueuedFiles uploads={uploads} />
        </>
      ) : (
        <p className="text-soft">Save the article first, then add them here.</p>
      )}
    </section>
  );
}

const INPUT =
  'block w-full cursor-pointer rounded-control border border-dashed border-soft bg-page px-3.5 py-2.5 text-ink file:mr-3.5 file:min-h-9 file:cursor-pointer file:rounded-control file:border file:border-line file:bg-surface file:px-3.5 file:font-semibold file:text-ink';

interface FileChooserProps {
  label: string;
  onFiles?: (files: readonly File[]) => void;
}

/** A file input for images and videos. With `onFiles` it also accepts dropped files; without it, it is a form field. */
export function FileChooser({ label, onFiles }: FileChooserProps) {
  const [over, setOver] = useState(false);
  const onDrop = (event: DragEvent) => {
    setOver(false);
    const dropped = [...event.dataTransfer.files];
    if (onFiles === undefined || dropped.length === 0) return;
    event.preventDefault();
    onFiles(dropped);
  };
  return (
    <div
      onDragOver={(event) => {
        if (onFiles === undefined || !event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={onDrop}
      className={`rounded-control ${over ? 'outline-3 outline-offset-4 outline-brand outline-dashed' : ''}`}
    >
      <label htmlFor="media-files" className="mb-1.5 block font-semibold">
        {label}
      </label>
      <input
        id="media-files"
        type="file"
        name={onFiles === undefined ? 'file' : undefined}
        multiple
        accept={MEDIA_ACCEPT}
        aria-describedby="media-files-hint"
        onChange={
          onFiles === undefined
            ? undefined
            : (event) => {
                onFiles([...(event.currentTarget.files ?? [])]);
                // Allows choosing the same file again.
                event.currentTarget.value = '';
              }
        }
        className={INPUT}
      />
      <p id="media-files-hint" className="mt-1.5 text-small text-soft">
        JPEG, PNG, WebP, GIF or AVIF up to 10 MB, MP4 or WebM up to 200 MB. You can choose several at once.{' '}
        {ANIMATION_RULE}
      </p>
    </div>
  );
}

/** The queued files with their progress. */
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

interface QueuedProps {
  queued: QueuedFile;
  uploads: UploadQueue;
}

function Queued({ queued: { key, file, state, progress, reason }, uploads }: QueuedProps) {
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
            {state === 'failed' ? reason : `${formatFileSize(file.size)}, not uploaded yet`}
          </p>
        )}
        <AnimationNote file={file} keepsSmall />
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

/** Twice the displayed size, for high-density screens. */
const PREVIEW_SIZE = { width: 144, height: 108 };
const PREVIEW_CLASS = 'h-[54px] w-[72px] rounded-control border';

/** A thumbnail of a chosen file; an empty frame if it is not an image that the browser can decode. */
function FilePreview({ file }: { file: File }) {
  const [drawn, setDrawn] = useState(false);
  const isImage = file.type.startsWith('image/');
  return (
    <>
      {drawn ? null : (
        <span
          aria-hidden="true"
          className={`${PREVIEW_CLASS} grid place-items-center border-dashed border-soft text-small text-soft`}
        >
          {file.type.startsWith('video/') ? 'Video' : null}
        </span>
      )}
      {isImage ? (
        <ImageCanvas
          image={file}
          {...PREVIEW_SIZE}
          label=""
          className={drawn ? `${PREVIEW_CLASS} border-line` : 'hidden'}
          onDrawn={() => setDrawn(true)}
        />
      ) : null}
    </>
  );
}
