import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import {
  IMAGE_TOO_LARGE,
  NOT_AN_IMAGE,
  TRACKING_IMAGE_ACCEPT,
  TRACKING_IMAGE_LIMIT_BYTES,
  TRACKING_NAME_MISSING,
} from '#shared/settings/tracking-image-rules';
import { reasonOf, sendFile } from '~/components/forms/send-file';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { AnimationNote } from '~/components/animations/animation-note';
import { Button } from '~/components/ui/button';
import { Caption, Panel } from '~/components/ui/card';
import { TextField } from '~/components/ui/fields';
import { ImageCanvas } from '~/components/ui/image-canvas';
import { FailureNotice } from '~/components/ui/notice';
import { ADD_FAILED } from './tracking-forms';
import { emptyField, fieldOf } from './use-filled';

const UPLOAD_PATH = '/api/settings/tracking-sets/upload';

type UploadResult = { ok: true; imageUrl: string } | { ok: false; message: string | null };

/** Uploads an image. `message`: the server's reason for a failure; null if there was no readable response. */
async function uploadTrackingImage(
  file: File,
  options: { onProgress: (fraction: number) => void; signal: AbortSignal },
): Promise<UploadResult> {
  const form = new FormData();
  form.set('image', file);
  const response = await sendFile(UPLOAD_PATH, form, options);
  const { imageUrl } = (response.body?.data ?? {}) as { imageUrl?: unknown };
  if (response.status === 201 && typeof imageUrl === 'string') return { ok: true, imageUrl };
  return { ok: false, message: reasonOf(response) };
}

/** The recommended minimum: smaller images look soft on a large screen. */
const RECOMMENDED = { width: 800, height: 600 };
const BOX = { width: 320, height: 240 };

/** A preview of a chosen image with its size in pixels. Needs a `key` per file. */
function ImagePreview({ file }: { file: File }) {
  const [size, setSize] = useState<{ width: number; height: number } | null>(null);
  const small = size !== null && (size.width < RECOMMENDED.width || size.height < RECOMMENDED.height);
  return (
    <figure className={size === null ? 'hidden' : undefined}>
      <ImageCanvas
        image={file}
        {...BOX}
        label={`Preview of ${file.name}`}
        className="aspect-[4/3] w-full max-w-80 rounded-pocket border border-line"
        onDrawn={setSize}
      />
      <Caption live>
        {size === null ? null : `${size.width} × ${size.height} pixels.`}
        {small ? ' Smaller than recommended: it may look soft.' : null}
      </Caption>
    </figure>
  );
}

/** A failure in the browser: the name is missing, the image is unusable, or its upload failed. */
interface ClientError {
  name?: string;
  image?: string;
  failure?: string;
}

/** Returns what is wrong with a file's type or size; the server checks again. */
function imageError(file: File | null): string | undefined {
  if (file === null || !TRACKING_IMAGE_ACCEPT.split(',').includes(file.type)) return NOT_AN_IMAGE;
  return file.size >= TRACKING_IMAGE_LIMIT_BYTES ? IMAGE_TOO_LARGE : undefined;
}

/** The file in the form's image field. */
function chosenFile(form: HTMLFormElement | null): File | null {
  return fieldOf(form, 'image')?.files?.[0] ?? null;
}

/** Whether the browser can decode the file. */
async function isDecodable(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a tracking set. Without scripts, one multipart form contains name and image. With scripts the image is uploaded
 * first, with its progress, and is not uploaded again if the server rejects another field.
 */
export function AddTrackingSet() {
  const { Form, submit, result, pending } = useForms(['add']);
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<{ file: File; imageUrl: string; name: string } | null>(null);
  const upload = useRef<AbortController | null>(null);
  const [typedBefore] = useState(result?.values?.name);
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  // Null unless the user changed or submitted the form since the last result.
  const [clientError, setClientError] = useState<ClientError | null>(null);

  useEffect(() => () => upload.current?.abort(), []);

  const readFile = useCallback(() => {
    const chosen = chosenFile(form.current);
    setFile(chosen);
    setClientError(chosen === null ? null : { image: imageError(chosen) });
  }, []);
  // The user may have chosen an image before hydration.
  useEffect(() => {
    if (chosenFile(form.current) !== null) readFile();
  }, [readFile]);

  const [seen, setSeen] = useState(result);
  if (result !== null && result !== seen) {
    setSeen(result);
    setClientError(null);
  }
  useEffect(() => {
    if (result?.ok !== true) return;
    const [name, image] = [fieldOf(form.current, 'name'), fieldOf(form.current, 'image')];
    // Keeps what the user has entered since.
    if (name !== null && name.value === sent.current?.name) emptyField(name);
    if (image !== null && chosenFile(form.current) === sent.current?.file) {
      image.value = '';
      setFile(null);
    }
    sent.current = null;
  }, [result]);

  async function send(chosen: File) {
    const name = fieldOf(form.current, 'name')?.value ?? '';
    if (sent.current?.file !== chosen) {
      upload.current = new AbortController();
      setProgress(0);
      const { signal } = upload.current;
      if (!(await isDecodable(chosen))) {
        setProgress(null);
        setClientError({ image: NOT_AN_IMAGE });
        return;
      }
      const result = await uploadTrackingImage(chosen, { onProgress: setProgress, signal });
      if (signal.aborted) return;
      setProgress(null);
      if (!result.ok) {
        const { message } = result;
        setClientError(
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
    if (progress !== null || pending !== null) return;
    const chosen = chosenFile(form.current);
    const name = fieldOf(form.current, 'name')?.value.trim() === '' ? TRACKING_NAME_MISSING : undefined;
    const image = imageError(chosen);
    setClientError({ name, image });
    if (name !== undefined) fieldOf(form.current, 'name')?.focus();
    else if (chosen !== null && image === undefined) void send(chosen);
    else fieldOf(form.current, 'image')?.focus();
  }

  const imageErrors =
    clientError === null
      ? (result?.errors?.image ?? result?.errors?.imageUrl)
      : clientError.image === undefined
        ? undefined
        : [clientError.image];
  return (
    <Panel title="Add a tracking set">
      {clientError?.failure === undefined ? null : (
        <FailureNotice result={clientError}>{clientError.failure}</FailureNotice>
      )}
      <FormNotice result={clientError === null ? result : null} fields={['name', 'image', 'imageUrl']} />
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
          onInput={() =>
            setClientError((error) => (error?.name === undefined ? error : { image: error.image }))
          }
          errors={
            clientError === null
              ? result?.errors?.name
              : clientError.name === undefined
                ? undefined
                : [clientError.name]
          }
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
          <>
            <ImagePreview key={`${file.name} ${file.size} ${file.lastModified}`} file={file} />
            <AnimationNote file={file} keepsSmall={false} />
          </>
        )}
        {progress === null ? null : (
          <div>
            <label htmlFor="tracking-progress" className="mb-1.5 block text-small text-soft">
              Uploading image: {Math.round(progress * 100)}%
            </label>
            <progress id="tracking-progress" value={progress} max={1} className="meter" />
          </div>
        )}
        <p>
          <Button variant="primary" name="intent" value="add" pending={progress !== null || pending !== null}>
            Add tracking set
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
