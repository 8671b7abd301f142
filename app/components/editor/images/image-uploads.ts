/** An image on this site; `src` is a path, width and height are pixels. */
export interface StoredImage {
  src: string;
  width: number;
  height: number;
}

/** The images in the text that are not stored; the HTML does not contain them. */
export interface UnstoredImages {
  /** How many are uploading. */
  running: number;
  /** The file names of those that failed. */
  failed: readonly string[];
}

export const NO_UNSTORED_IMAGES: UnstoredImages = { running: 0, failed: [] };

/** Uploads an image. `report` gets the progress, 0 to 1. Rejects with an error whose message is a sentence for people. */
export type UploadImage = (
  file: File,
  report: (fraction: number) => void,
  signal: AbortSignal,
) => Promise<StoredImage>;

export type UploadState =
  | { status: 'running'; fraction: number }
  | { status: 'failed'; problem: string }
  | { status: 'done'; image: StoredImage };

/** An image that was inserted; `width` and `height` are 0 when the browser cannot decode it. */
export interface Upload {
  id: string;
  file: File;
  preview: ImageBitmap | null;
  width: number;
  height: number;
  state: UploadState;
}

const GENERIC_PROBLEM = 'The image could not be uploaded. Check the connection and try again.';

/** The uploads of one editor, running and finished. They stay when undo removes an image, so that redo can restore it. */
export class ImageUploads {
  private readonly uploads = new Map<string, Upload>();
  private readonly aborts = new Map<string, AbortController>();
  private readonly listeners = new Set<() => void>();

  constructor(private readonly upload: UploadImage) {}

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  find(id: string): Upload | null {
    return this.uploads.get(id) ?? null;
  }

  findImage(id: string): StoredImage | null {
    const state = this.uploads.get(id)?.state;
    return state?.status === 'done' ? state.image : null;
  }

  /** Starts the upload of an image. Resolves with its id when its size is known, before the upload ends. */
  async add(file: File): Promise<string> {
    const preview = await createImageBitmap(file).catch(() => null);
    const id = crypto.randomUUID();
    const { width = 0, height = 0 } = preview ?? {};
    this.uploads.set(id, { id, file, preview, width, height, state: { status: 'running', fraction: 0 } });
    void this.send(id);
    return id;
  }

  retry(id: string): void {
    if (this.uploads.get(id)?.state.status === 'failed') void this.send(id);
  }

  /** Aborts a running upload that is no longer in the text. */
  abandon(id: string): void {
    this.aborts.get(id)?.abort();
  }

  abandonAll(): void {
    for (const abort of this.aborts.values()) abort.abort();
  }

  private async send(id: string): Promise<void> {
    const upload = this.uploads.get(id);
    if (upload === undefined) return;
    const abort = new AbortController();
    this.aborts.set(id, abort);
    this.set(id, { status: 'running', fraction: 0 });
    try {
      const image = await this.upload(
        upload.file,
        (fraction) => {
          if (!abort.signal.aborted) this.set(id, { status: 'running', fraction });
        },
        abort.signal,
      );
      this.set(id, { status: 'done', image });
    } catch (error) {
      const problem = error instanceof Error && error.message !== '' ? error.message : GENERIC_PROBLEM;
      this.set(id, { status: 'failed', problem: abort.signal.aborted ? 'The upload was stopped.' : problem });
    } finally {
      this.aborts.delete(id);
    }
  }

  private set(id: string, state: UploadState): void {
    const upload = this.uploads.get(id);
    if (upload === undefined) return;
    this.uploads.set(id, { ...upload, state });
    for (const listener of this.listeners) listener();
  }
}
