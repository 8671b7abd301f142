import { lazy, Suspense } from 'react';
import { useDownload } from './download-state';

const DownloadBar = lazy(() => import('./download-bar'));

/** The bar of a running or just ended download on pages without a widget; else nothing, and no scripts to load. */
export function DownloadArea() {
  const { state, widgets } = useDownload();
  if (state.is === 'ready' || widgets > 0) return null;
  return (
    <Suspense fallback={null}>
      <DownloadBar />
    </Suspense>
  );
}
