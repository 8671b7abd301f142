import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Platform } from '#shared/releases/release';
import { reloadData } from '~/components/forms/reload-data';
import { createResumableUpload, type ResumableUpload, type UploadState } from './resumable-upload';

/** The upload of a platform's file from this page. */
export interface PlatformUpload {
  fileName: string;
  state: UploadState;
  /** False if the last cancellation failed. */
  cancelling: boolean;
}

export interface ReleaseUploads {
  of(platform: Platform): PlatformUpload | null;
  /** Leaving the page would interrupt an upload. */
  busy: boolean;
  begin(platform: Platform, file: File): void;
  pause(platform: Platform): void;
  resume(platform: Platform): void;
  cancel(platform: Platform): void;
  /** Whether an upload with the server's id runs on this page. */
  owns(id: string): boolean;
}

const ACTIVE: ReadonlySet<UploadState['phase']> = new Set(['starting', 'sending', 'checking', 'waiting']);

/** The resumable uploads of a release's files: one per platform. They pause when the page is left. */
export function useReleaseUploads(version: string): ReleaseUploads {
  const [shown, setShown] = useState<Partial<Record<Platform, PlatformUpload>>>({});
  const uploads = useRef<Partial<Record<Platform, ResumableUpload>>>({});

  useEffect(() => {
    const { current } = uploads;
    return () => {
      for (const upload of Object.values(current)) upload.pause();
    };
  }, []);

  const change = useCallback((platform: Platform, changes: Partial<PlatformUpload> | null) => {
    setShown(({ [platform]: before, ...others }) =>
      changes === null || before === undefined
        ? others
        : { ...others, [platform]: { ...before, ...changes } },
    );
  }, []);

  const begin = useCallback(
    (platform: Platform, file: File) => {
      uploads.current[platform]?.pause();
      const upload = createResumableUpload({ file, version, platform }, (state) => {
        if (uploads.current[platform] !== upload) return;
        setShown((before) => ({
          ...before,
          [platform]: { cancelling: false, ...before[platform], fileName: file.name, state },
        }));
        // Then the page shows the stored file, or who else uploads it.
        if (state.phase === 'done' || (state.phase === 'failed' && !state.resumable)) reloadData();
      });
      uploads.current[platform] = upload;
      upload.start();
    },
    [version],
  );

  const cancel = useCallback(
    async (platform: Platform) => {
      change(platform, { cancelling: true });
      const upload = uploads.current[platform];
      const cancelled = (await upload?.cancel()) ?? true;
      if (upload !== uploads.current[platform]) return;
      change(platform, cancelled ? null : { cancelling: false });
      if (cancelled) {
        delete uploads.current[platform];
        reloadData();
      }
    },
    [change],
  );

  return useMemo(() => {
    const all = Object.values(shown);
    return {
      of: (platform) => shown[platform] ?? null,
      busy: all.some(({ state }) => ACTIVE.has(state.phase)),
      begin,
      pause: (platform) => uploads.current[platform]?.pause(),
      resume: (platform) => uploads.current[platform]?.start(),
      cancel: (platform) => void cancel(platform),
      owns: (id) => all.some(({ state }) => state.id === id),
    };
  }, [shown, begin, cancel]);
}
