import { useCallback, useLayoutEffect, useRef, type ReactNode } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { PLATFORM_FILES } from '#shared/releases/release';
import { Button } from '~/components/ui/button';
import { formatFileSize } from '#shared/format';
import { Notice } from '~/components/ui/notice';
import { useDownload, type DownloadPlace, type DownloadState } from './transfer/download-state';
import { cancelDownload } from './transfer/download-store';
import { BROWSER_DOWNLOADS, CONNECTION_LOST, DOWNLOAD_COMPLETE } from './download-texts';
import type { FileView } from './downloads-view';

/** Whether the widget at `place` shows the state, so that a page shows it once: where it began, else the main widget. */
function isShownAt(place: DownloadPlace, state: DownloadState): boolean {
  if (state.kind === 'ready') return false;
  if (place === 'inline') return true;
  return state.place === place || (place === 'card' && state.place === 'inline');
}

/** The progress and the result of the tab's download, in the widget at `place`. */
export function DownloadStatus({ place }: { place: DownloadPlace }) {
  const { state } = useDownload();
  const area = useRef<HTMLDivElement>(null);
  const focusAfter = useCallback(() => area.current, []);
  return (
    <div ref={area} tabIndex={-1} className="w-full outline-none empty:absolute">
      {isShownAt(place, state) ? <DownloadNotice state={state} focusAfter={focusAfter} /> : null}
    </div>
  );
}

interface DownloadNoticeProps {
  state: DownloadState;
  focusAfter: () => HTMLElement | null;
}

/** `focusAfter`: what gets the focus when the focused Cancel button is removed. */
export function DownloadNotice({ state, focusAfter }: DownloadNoticeProps): ReactNode {
  switch (state.kind) {
    case 'ready':
      return null;
    case 'downloading':
      return <Progress download={state} focusAfter={focusAfter} />;
    case 'downloaded':
      return <Notice kind="success">{DOWNLOAD_COMPLETE}</Notice>;
    case 'browser':
      return <Notice kind="success">{BROWSER_DOWNLOADS}</Notice>;
    case 'error':
      return <Notice kind="error">{state.text}</Notice>;
  }
}

function nameOf({ version, platform }: FileView): string {
  return `${PRODUCT_NAME} ${version} for ${PLATFORM_FILES[platform].label}`;
}

interface ProgressProps {
  download: Extract<DownloadState, { kind: 'downloading' }>;
  focusAfter: () => HTMLElement | null;
}

function Progress({ download: { file, received, total, connected }, focusAfter }: ProgressProps) {
  const cancel = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const button = cancel.current;
    return () => {
      if (button?.contains(document.activeElement) === true) focusAfter()?.focus({ preventScroll: true });
    };
  }, [focusAfter]);
  const percent = Math.floor((received / total) * 100);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5">
      <p role="status" className="font-semibold">
        Downloading {nameOf(file)}
      </p>
      <span ref={cancel} className="row-span-2">
        <Button type="button" onClick={cancelDownload}>
          Cancel<span className="sr-only"> the download</span>
        </Button>
      </span>
      <div>
        <progress aria-label={`Download of ${nameOf(file)}`} max={total} value={received} className="meter" />
        <p className="mt-1 text-small text-soft">
          {percent}% of {formatFileSize(total)}
        </p>
      </div>
      <p role="status" className="col-span-2 text-small text-soft empty:hidden">
        {connected ? null : CONNECTION_LOST}
      </p>
    </div>
  );
}
