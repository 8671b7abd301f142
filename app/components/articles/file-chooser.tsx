import { useState, type DragEvent } from 'react';
import { MEDIA_ACCEPT } from '#shared/news/media-rules';

const INPUT =
  'block w-full cursor-pointer rounded-control border border-dashed border-soft bg-page px-3.5 py-2.5 text-ink file:mr-3.5 file:min-h-9 file:cursor-pointer file:rounded-control file:border file:border-line file:bg-surface file:px-3.5 file:font-semibold file:text-ink';

/**
 * Chooses images and videos, several at once. With `onFiles` they are handed over at once, dropped ones too; without, the
 * field is part of a form.
 */
export function FileChooser({
  label,
  onFiles,
}: {
  label: string;
  onFiles?: (files: readonly File[]) => void;
}) {
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
                // So that the same file can be chosen again.
                event.currentTarget.value = '';
              }
        }
        className={INPUT}
      />
      <p id="media-files-hint" className="mt-1.5 text-small text-soft">
        JPEG, PNG, WebP, GIF or AVIF up to 10 MB, MP4 or WebM up to 200 MB. You can choose several at once.
      </p>
    </div>
  );
}
