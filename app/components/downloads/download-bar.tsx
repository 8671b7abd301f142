import { useRef } from 'react';
import { useDownload } from './download-state';
import { ShownState } from './download-status';

/** The state of the tab's download, on pages without a widget: sticks to the end of the screen. */
export default function DownloadBar() {
  const { state } = useDownload();
  const area = useRef<HTMLDivElement>(null);
  return (
    <div
      ref={area}
      tabIndex={-1}
      role="region"
      aria-label="Download"
      data-download-bar
      className="sticky bottom-0 z-20 border-t border-line bg-surface py-3 shadow-card outline-none"
    >
      <div className="wrap">
        <ShownState state={state} focusAfter={area} />
      </div>
    </div>
  );
}
