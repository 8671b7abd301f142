import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { UPLOAD_FAILED } from './articles';
import { chooseFeaturedImage, sendMedia } from './media-api';

/** A file that was chosen and has not arrived yet. */
export interface QueuedFile {
  key: number;
  file: File;
  state: 'waiting' | 'sending' | 'failed';
  /** How much of it has gone, from 0 to 1. */
  progress: number;
  /** Why it failed. */
  reason: string | null;
}

export interface UploadQueue {
  files: readonly QueuedFile[];
  /** The key of the picture that is to be the featured image. */
  featured: number | null;
  /** The chosen picture arrived, but could not be made the featured image. */
  featuredFailed: boolean;
  add(files: Iterable<File>): void;
  remove(key: number): void;
  feature(key: number | null): void;
  /** Puts a file that failed back in line. */
  retry(key: number): void;
  /** Sends what is waiting, one after the other. `onArrival` hears of each that arrived. Leaves a run under way alone. */
  sendTo(articleId: string, onArrival: () => void): void;
  /** Forgets everything, and breaks off what is under way. */
  clear(): void;
}

/**
 * The files on their way to an article. They may be chosen before it exists, so whoever shows both its forms keeps the
 * queue.
 */
export function useUploadQueue(): UploadQueue {
  const [files, setFiles] = useState<readonly QueuedFile[]>([]);
  const [featured, setFeatured] = useState<number | null>(null);
  const [featuredFailed, setFeaturedFailed] = useState(false);
  // What the run under way goes by; the state above is its picture.
  const current = useRef<{ files: readonly QueuedFile[]; featured: number | null }>({
    files: [],
    featured: null,
  });
  const lastKey = useRef(0);
  const run = useRef<AbortController | null>(null);

  const change = useCallback((next: readonly QueuedFile[]) => {
    current.current.files = next;
    setFiles(next);
  }, []);

  const update = useCallback(
    (key: number, changes: Partial<QueuedFile>) => {
      change(current.current.files.map((file) => (file.key === key ? { ...file, ...changes } : file)));
    },
    [change],
  );

  const feature = useCallback((key: number | null) => {
    current.current.featured = key;
    setFeatured(key);
  }, []);

  const clear = useCallback(() => {
    run.current?.abort();
    run.current = null;
    change([]);
    feature(null);
    setFeaturedFailed(false);
  }, [change, feature]);

  useEffect(() => () => run.current?.abort(), []);

  const sendTo = useCallback(
    async (articleId: string, onArrival: () => void) => {
      if (run.current !== null) return;
      const controller = new AbortController();
      const { signal } = controller;
      run.current = controller;
      let featuredMedia: string | null = null;
      for (;;) {
        const next = current.current.files.find(({ state }) => state === 'waiting');
        if (next === undefined) break;
        const { key, file } = next;
        update(key, { state: 'sending', progress: 0, reason: null });
        const sent = await sendMedia(
          articleId,
          { file, placement: 'gallery' },
          { signal, onProgress: (progress) => update(key, { progress }) },
        );
        if (signal.aborted) return;
        if ('reason' in sent) {
          update(key, { state: 'failed', reason: sent.reason ?? UPLOAD_FAILED });
          continue;
        }
        if (current.current.featured === key) featuredMedia = sent.media.id;
        change(current.current.files.filter((other) => other.key !== key));
        onArrival();
      }
      if (featuredMedia !== null) {
        const chosen = await chooseFeaturedImage(articleId, featuredMedia);
        if (signal.aborted) return;
        feature(null);
        setFeaturedFailed(!chosen);
        onArrival();
      }
      run.current = null;
    },
    [change, feature, update],
  );

  return useMemo(
    () => ({
      files,
      featured,
      featuredFailed,
      add(chosen) {
        const added = [...chosen].map((file): QueuedFile => {
          lastKey.current += 1;
          return { key: lastKey.current, file, state: 'waiting', progress: 0, reason: null };
        });
        setFeaturedFailed(false);
        change([...current.current.files, ...added]);
      },
      remove(key) {
        change(current.current.files.filter((file) => file.key !== key));
        if (current.current.featured === key) feature(null);
      },
      feature,
      retry: (key) => update(key, { state: 'waiting', reason: null }),
      sendTo: (articleId, onArrival) => void sendTo(articleId, onArrival),
      clear,
    }),
    [files, featured, featuredFailed, change, update, feature, sendTo, clear],
  );
}
