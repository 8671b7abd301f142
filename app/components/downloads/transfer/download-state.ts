import { useEffect, useSyncExternalStore } from 'react';
import type { FileView } from '../downloads-view';

/** The widget in which a download was started. */
export type DownloadPlace = 'card' | 'inline' | 'button';

/** The state of the one download that a tab runs. `browser`: the browser itself downloads the file. */
export type DownloadState =
  | { kind: 'ready' }
  | {
      kind: 'downloading';
      file: FileView;
      place: DownloadPlace;
      /** False until the next attempt. */
      connected: boolean;
      /** Bytes. */
      received: number;
      total: number;
    }
  | { kind: 'downloaded' | 'browser'; file: FileView; place: DownloadPlace }
  | { kind: 'error'; text: string; file: FileView; place: DownloadPlace };

interface Snapshot {
  state: DownloadState;
  /** How many widgets of the current page show the state. */
  widgets: number;
}

export const READY: DownloadState = { kind: 'ready' };

const INITIAL: Snapshot = { state: READY, widgets: 0 };

// Outside of the components, so that it survives navigation.
let snapshot = INITIAL;
const listeners = new Set<() => void>();

function change(next: Partial<Snapshot>): void {
  snapshot = { ...snapshot, ...next };
  for (const listener of listeners) listener();
}

export function publishDownload(state: DownloadState): void {
  change({ state });
}

/** The current snapshot. */
export function readDownload(): Snapshot {
  return snapshot;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The state of the tab's download, and how many widgets show it. On the server: ready. */
export function useDownload(): Snapshot {
  return useSyncExternalStore(subscribe, readDownload, () => INITIAL);
}

/** Counts a widget as one that shows the state while it is mounted. */
export function useShowsDownload(): void {
  useEffect(() => {
    change({ widgets: snapshot.widgets + 1 });
    return () => change({ widgets: snapshot.widgets - 1 });
  }, []);
}
