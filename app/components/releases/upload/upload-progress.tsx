import { useEffect, useRef } from 'react';
import { PLATFORM_FILES, type Platform } from '#shared/releases/release';
import { Button } from '~/components/ui/button';
import { formatFileSize } from '#shared/format';
import { Notice } from '~/components/ui/notice';
import type { UploadState } from './resumable-upload';
import { describeDuration } from './transfer-rate';
import type { PlatformUpload, ReleaseUploads } from './use-release-uploads';

/** Changes several times a second, so it is not announced by screen readers. */
function figures(state: UploadState): string {
  const { sentBytes, totalBytes, bytesPerSecond, secondsLeft } = state;
  return [
    `${sentBytes === 0 ? '0 KB' : formatFileSize(sentBytes)} of ${formatFileSize(totalBytes)} (${Math.floor((100 * sentBytes) / totalBytes)}%)`,
    ...(bytesPerSecond === null ? [] : [`${formatFileSize(bytesPerSecond)} per second`]),
    ...(secondsLeft === null ? [] : [`${describeDuration(secondsLeft)} left`]),
  ].join(', ');
}

/** Changes with the phase, so it is announced. */
function announcement({ phase, reason }: UploadState): string {
  switch (phase) {
    case 'starting':
      return 'The upload is starting.';
    case 'sending':
      return 'Uploading.';
    case 'checking':
      return 'The server has the whole file and is checking it.';
    case 'waiting':
      return `${reason ?? ''} The upload continues automatically.`;
    case 'paused':
      return 'Paused. The part that has arrived is kept for a day.';
    case 'failed':
    case 'done':
      return '';
  }
}

/** A running, paused or failed upload with its figures and buttons. It takes the focus that its form loses. */
export function UploadProgress({
  platform,
  upload: { fileName, state, cancelling },
  uploads,
}: {
  platform: Platform;
  upload: PlatformUpload;
  uploads: ReleaseUploads;
}) {
  const { label } = PLATFORM_FILES[platform];
  const box = useRef<HTMLDivElement>(null);
  const { phase, resumable, reason, sentBytes, totalBytes } = state;
  const isRunning =
    phase === 'starting' || phase === 'sending' || phase === 'checking' || phase === 'waiting';
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [isRunning]);

  const id = `progress-${platform}`;
  return (
    <div ref={box} tabIndex={-1} role="group" aria-label={`Upload of ${fileName}`} className="grid gap-2.5">
      <div>
        <label htmlFor={id} className="mb-1.5 block font-semibold [overflow-wrap:anywhere]">
          {fileName}
        </label>
        <progress id={id} value={sentBytes} max={totalBytes} className="meter" />
      </div>
      <p className="text-small text-soft tabular-nums">{figures(state)}</p>
      <p role="status" className="text-small">
        {announcement(state)}
      </p>
      {phase === 'failed' && reason !== null ? <Notice kind="error">{reason}</Notice> : null}
      <p className="flex flex-wrap gap-2.5">
        {isRunning && phase !== 'checking' ? (
          <Button type="button" onClick={() => uploads.pause(platform)}>
            Pause<span className="sr-only"> the {label} upload</span>
          </Button>
        ) : null}
        {phase === 'paused' || resumable ? (
          <Button type="button" variant="primary" onClick={() => uploads.resume(platform)}>
            Resume<span className="sr-only"> the {label} upload</span>
          </Button>
        ) : null}
        <Button type="button" pending={cancelling} onClick={() => uploads.cancel(platform)}>
          Cancel<span className="sr-only"> the {label} upload</span>
        </Button>
      </p>
    </div>
  );
}
