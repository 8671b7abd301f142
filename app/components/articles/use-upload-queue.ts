import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { UPLOAD_FAILED } from './articles';
import { chooseFeaturedImage, sendMedia } from './media-api';

/** A chosen file that is not uploaded yet. */
export interface QueuedFile {
  key: number;
  file: File;
  state: 'waiting' | 'sending' | 'failed';
  /** The uploaded fraction, from 0 to 1. */
  progress: number;
  /** Why it failed. */
  reason: string | null;
}

export interface UploadQueue {
  files: readonly QueuedFile[];
  /** The key of the image that becomes the featured image; null for none. */
  featured: number | null;
  /** The image was uploaded, but could not be made the featured image. */
  featuredFailed: boolean;
  add(files: Iterable<File>): void;
  remove(key: number): void;
  feature(key: number | null): void;
  /** Queues a failed file again. */
  retry(key: number): void;
  /** Uploads the waiting files one after the other; does nothing during a run. Calls `onUploaded` after each. */
  sendTo(articleId: string, onUploaded: () => void): void;
  /** Empties the queue and aborts a running upload. */
  clear(): void;
}

/** The upload queue of an article. Files can be queued before the article exists, so the parent of both its forms owns it. */
export function useUploadQueue(): UploadQueue {
  const [files, setFiles] = useState<readonly QueuedFile[]>([]);
  const [featured, setFeatured] = useState<number | null>(null);
  const [featuredFailed, setFeaturedFailed] = useState(false);
  // The current queue, for the running upload; the state above is for rendering.
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
    async (articleId: string, onUploaded: () => void) => {
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
        onUploaded();
      }
      if (featuredMedia !== null) {
        const chosen = await chooseFeaturedImage(articleId, featuredMedia);
        if (signal.aborted) return;
        feature(null);
        setFeaturedFailed(!chosen);
        onUploaded();
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
      sendTo: (articleId, onUploaded) => void sendTo(articleId, onUploaded),
      clear,
    }),
    [files, featured, featuredFailed, change, update, feature, sendTo, clear],
  );
}
