import type { Actor } from '#shared/audit/write-audit';
import { requireExtension } from '#shared/releases/release-file';
import {
  beginReleaseUpload,
  endReleaseUpload,
  TOUCH_INTERVAL_MS,
  touchReleaseUpload,
  uploadCancelled,
  type ReleaseUpload,
} from '#shared/releases/release-uploads';
import { requireSpace } from '#shared/storage/disk-space';
import { serverContext } from '~/http/server/context.server';
import type { UploadGuard } from '~/http/forms/read-upload.server';

/** The version and the platform of a form's file, and the changes of the release. */
export type ReleaseUploadTarget = Pick<ReleaseUpload, 'version' | 'platform' | 'changes'>;

/**
 * Guards the form of a release file: checks the free space before the body is read, and records the upload as soon as its
 * version and platform have arrived, so that a second one is refused before its file is read. `readTarget` parses the
 * fields that have arrived; null: some are missing. It throws for invalid fields.
 */
export function guardReleaseUpload({
  actor,
  readTarget,
}: {
  actor: Actor;
  readTarget(fields: URLSearchParams): Promise<ReleaseUploadTarget | null> | ReleaseUploadTarget | null;
}): UploadGuard {
  const { db, clock, log, releaseStorage: storage } = serverContext();
  let bytes: number | null = null;
  let fileName: string | null = null;
  let record: ReleaseUpload | null = null;
  let timer: NodeJS.Timeout | undefined;
  let cancel: (refusal: Error) => void = () => undefined;

  async function touch(id: string): Promise<void> {
    try {
      if (!(await touchReleaseUpload(db, { id, clock }))) cancel(uploadCancelled());
    } catch (error) {
      log.warn({ err: error }, 'a running upload could not be recorded');
    }
  }

  async function admit(fields: URLSearchParams, name: string): Promise<void> {
    const target = await readTarget(fields);
    if (target === null) return;
    requireExtension(name, target.platform);
    if (record !== null) return;
    const upload = { kind: 'form', ...target, originalName: name, machine: null, fileSize: bytes } as const;
    record = await beginReleaseUpload(db, { upload, actor, clock });
    const { id } = record;
    timer = setInterval(() => void touch(id), TOUCH_INTERVAL_MS);
  }

  return {
    storage,
    async begin({ announcedBytes, cancel: refuse }) {
      bytes = announcedBytes;
      cancel = refuse;
      await requireSpace(storage, announcedBytes ?? 0);
    },
    async admitFile(fields, name) {
      fileName = name;
      await admit(fields, name);
    },
    async complete(fields) {
      if (fileName !== null) await admit(fields, fileName);
      return record?.id;
    },
    async end() {
      clearInterval(timer);
      if (record === null) return;
      const { id } = record;
      await endReleaseUpload(db, id).catch((error: unknown) =>
        log.warn({ err: error }, 'the record of an ended upload could not be removed; the sweep removes it'),
      );
    },
  };
}
