import { lazy, Suspense, useEffect, type ReactElement } from 'react';
import { useDownload } from './transfer/download-state';

const loadBar = () => import('./download-bar');

/** Without a connection the bar may be impossible to load; the page and the download work without it. */
const DownloadBar = lazy<() => ReactElement | null>(() => loadBar().catch(() => ({ default: () => null })));

/** The bar of a running or just ended download on pages without a widget; else nothing, and no scripts to load. */
export function DownloadArea() {
  const { state, widgets } = useDownload();
  const running = state.kind === 'downloading';
  // Before it is needed: when the user moves to another page, the connection may be slow or broken.
  useEffect(() => {
    if (running) loadBar().catch(() => undefined);
  }, [running]);
  if (state.kind === 'ready' || widgets > 0) return null;
  return (
    <Suspense fallback={null}>
      <DownloadBar />
    </Suspense>
  );
}
