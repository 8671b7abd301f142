import type { MouseEvent, ReactNode } from 'react';
import { PLATFORM_FILES } from '#shared/releases/release';
import { useDownload, type DownloadPlace } from './transfer/download-state';
import { startDownload } from './transfer/download-store';
import type { FileView } from './downloads-view';

/** A press that opens a new tab or window, or saves the link's target, is the browser's. */
function isPlainPress({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}

interface DownloadLinkProps {
  file: FileView;
  place: DownloadPlace;
  className: string;
  children?: ReactNode;
}

/** A link to a file. Scripts download it in the page, with progress. `children`: instead of "Download for Windows". */
export function DownloadLink({ file, place, className, children }: DownloadLinkProps) {
  const { state } = useDownload();
  const running = state.kind === 'downloading' && state.file.address === file.address;
  return (
    <a
      href={file.address}
      aria-disabled={running || undefined}
      onClick={(event) => {
        if (isPlainPress(event) && startDownload(file, place)) event.preventDefault();
      }}
      className={className}
    >
      {running ? 'Downloading…' : (children ?? `Download for ${PLATFORM_FILES[file.platform].label}`)}
    </a>
  );
}
