import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import {
  IMAGE_TOO_LARGE,
  NOT_AN_IMAGE,
  TRACKING_IMAGE_ACCEPT,
  TRACKING_IMAGE_LIMIT_BYTES,
} from '#shared/settings/tracking-image-rules';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';
import { ImagePreview } from './image-preview';
import { ADD_FAILED } from './tracking-texts';
import { uploadTrackingImage } from './upload-tracking-image';
import { emptyField, fieldOf, useFilled } from './use-filled';

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
            look="primary"
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
