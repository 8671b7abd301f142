import { useState, useCallback, useEffect, useRef, type FormEvent } from 'react';
import {
  IMAGE_TOO_LARGE,
  NOT_AN_IMAGE,
  TRACKING_IMAGE_ACCEPT,
  TRACKING_IMAGE_LIMIT_BYTES,
} from '#shared/settings/tracking-image-rules';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { ImageCanvas } from '~/components/ui/image-canvas';
import { Notice } from '~/components/ui/notice';
import { Panel } from '~/components/ui/panel';
import { ADD_FAILED } from './tracking-forms';
import { emptyField, fieldOf, useFilled } from './use-filled';

const UPLOAD_CALL = '/api/settings/tracking-sets/upload';

export type UploadResult = { ok: true; imageUrl: string } | { ok: false; message: string | null };

/**
 * Sends a picture by the API. `message` is the server's reason; null when there was no answer, or none that can be read.
 */
export async function uploadTrackingImage(
  file: File,
  way: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<UploadResult> {
  const form = new FormData();
  form.set('image', file);
  const answer = await sendFile(UPLOAD_CALL, form, way);
  const { imageUrl } = (answer.body?.data ?? {}) as { imageUrl?: unknown };
  if (answer.status === 201 && typeof imageUrl === 'string') return { ok: true, imageUrl };
  return { ok: false, message: reasonOf(answer) };
}

/** What the recommendation says: narrower or lower pictures look soft on a large screen. */
const RECOMMENDED = { width: 800, height: 600 };
const BOX = { width: 320, height: 240 };

/** A chosen picture before it is sent, with its size in pixels; a new one for each file. */
export function ImagePreview({ file }: { file: File }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const small = size !== null && (size.width < RECOMMENDED.width || size.height < RECOMMENDED.height);
  return (
    <figure className={size === null ? 'hidden' : 'grid gap-1.5'}>
      <ImageCanvas
        image={file}
        {...BOX}
        label={`Preview of ${file.name}`}
        className="aspect-[4/3] w-full max-w-80 rounded-pocket border border-line"
        onDrawn={setSize}
      />
      <figcaption aria-live="polite" className="text-small text-soft">
        {size === null ? null : `${size.width} × ${size.height} pixels.`}
        {small ? ' Smaller than recommended: it may look soft.' : null}
      </figcaption>
    </figure>
  );
}

/** What the browser found: what is wrong with the image, or that it could not be sent. */
interface Found {
  image?: string;
  failure?: string;
}

/** The fault of an image that shows before it is sent; the server checks again. */
function faultOf(file: File | null): string | undefined {
  if (file === null || !TRACKING_IMAGE_ACCEPT.split(',').includes(file.type)) return NOT_AN_IMAGE;
  return file.size >= TRACKING_IMAGE_LIMIT_BYTES ? IMAGE_TOO_LARGE : undefined;
}

/** The image that the form's field holds. */
function chosenIn(form: HTMLFormElement | null): File | null {
  return fieldOf(form, 'image')?.files?.[0] ?? null;
}

/** Whether the content is an image, whatever its name says: what cannot be drawn need not be sent. */
async function canBeDrawn(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a tracking set. Without scripts one form carries name and image. With them the image is uploaded first, with
 * its progress, and is not uploaded again when only another field was refused.
 */
export function AddTrackingSet() {
  const { Form, submit, result, pending } = useForms(['add']);
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<{ file: File; imageUrl: string; name: string } | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const filled = useFilled(form, 'name');
  const [typedBefore] = useState(result?.values?.name);
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  /** Since the last result. */
  const [found, setFound] = useState<Found | null>(null);

  useEffect(() => () => leaving.current?.abort(), []);

  const readFile = useCallback(() => {
    const chosen = chosenIn(form.current);
    setFile(chosen);
    setFound(chosen === null ? null : { image: faultOf(chosen) });
  }, []);
  // An image may have been chosen before the page was live.
  useEffect(() => {
    if (chosenIn(form.current) !== null) readFile();
  }, [readFile]);

  const [seen, setSeen] = useState(result);
  if (result !== null && result !== seen) {
    setSeen(result);
    setFound(null);
  }
  useEffect(() => {
    if (result?.ok !== true) return;
    const [name, image] = [fieldOf(form.current, 'name'), fieldOf(form.current, 'image')];
    // What was typed or chosen meanwhile stays.
    if (name !== null && name.value === sent.current?.name) emptyField(name);
    if (image !== null && chosenIn(form.current) === sent.current?.file) {
      image.value = '';
      setFile(null);
    }
    sent.current = null;
  }, [result]);

  async function send(chosen: File) {
    const name = fieldOf(form.current, 'name')?.value ?? '';
    if (sent.current?.file !== chosen) {
      leaving.current = new AbortController();
      setShare(0);
      const { signal } = leaving.current;
      if (!(await canBeDrawn(chosen))) {
        setShare(null);
        setFound({ image: NOT_AN_IMAGE });
        return;
      }
      const result = await uploadTrackingImage(chosen, { onProgress: setShare, signal });
      if (signal.aborted) return;
      setShare(null);
      if (!result.ok) {
        const { message } = result;
        setFound(
          message === NOT_AN_IMAGE || message === IMAGE_TOO_LARGE
            ? { image: message }
            : { failure: message ?? ADD_FAILED },
        );
        return;
      }
      sent.current = { file: chosen, imageUrl: result.imageUrl, name };
    }
    sent.current.name = name;
    submit(
      { intent: 'add', name, imageUrl: sent.current.imageUrl },
      { method: 'post', preventScrollReset: true },
    );
  }

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (share !== null || pending !== null) return;
    const chosen = chosenIn(form.current);
    const image = faultOf(chosen);
    setFound({ image });
    if (chosen !== null && image === undefined) void send(chosen);
    else fieldOf(form.current, 'image')?.focus();
  }

  const imageErrors =
    found === null
      ? (result?.errors?.image ?? result?.errors?.imageUrl)
      : found.image === undefined
        ? undefined
        : [found.image];
  return (
    <Panel title="Add a tracking set">
      {found?.failure === undefined ? null : <Notice kind="error">{found.failure}</Notice>}
      <FormNotice result={found === null ? result : null} fields={['name', 'image', 'imageUrl']} />
      <Form
        ref={form}
        method="post"
        encType="multipart/form-data"
        preventScrollReset
        onSubmit={onSubmit}
        className="grid gap-4"
      >
        <TextField
          id="tracking-name"
          name="name"
          label="Name"
          autoComplete="off"
          defaultValue={typedBefore}
          errors={found === null ? result?.errors?.name : undefined}
        />
        <TextField
          id="tracking-image"
          name="image"
          type="file"
          accept={TRACKING_IMAGE_ACCEPT}
          label="Image"
          hint="Recommended 800x600 or larger, smaller than 5MB."
          onChange={readFile}
          errors={imageErrors}
        />
        {file === null || imageErrors !== undefined ? null : (
          <ImagePreview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />
        )}
        {share === null ? null : (
          <div>
            <label htmlFor="tracking-progress" className="mb-1.5 block text-small text-soft">
              Uploading image: {Math.round(share * 100)}%
            </label>
            <progress id="tracking-progress" value={share} max={1} className="meter" />
          </div>
        )}
        <p>
          <Button
            variant="primary"
            name="intent"
            value="add"
            disabled={!filled}
            pending={share !== null || pending !== null}
          >
            Add tracking set
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
