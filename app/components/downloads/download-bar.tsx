import { useDownload } from './transfer/download-state';
import { DownloadNotice } from './download-status';

/** Gets the focus when the bar and its Cancel button are removed. */
const mainContent = () => document.getElementById('content');

/** The state of the tab's download, on pages without a widget: sticks to the end of the screen. */
export default function DownloadBar() {
  const { state } = useDownload();
  return (
    <div
      role="region"
      aria-label="Download"
      data-download-bar
      className="sticky in-[html:has([data-consent])]:static bottom-0 z-20 border-t border-line bg-surface py-3 shadow-card"
    >
      <div className="wrap">
        <DownloadNotice state={state} focusAfter={mainContent} />
      </div>
    </div>
  );
}
