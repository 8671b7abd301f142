import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import {
  IMAGE_TOO_LARGE,
  NOT_AN_IMAGE,
  TRACKING_IMAGE_ACCEPT,
  TRACKING_IMAGE_LIMIT_BYTES,
} from '#shared/settings/tracking-image-rules';
import { AnswerNotice } from '~/components/forms/answer-notice';
import { useAnsweringForm } from '~/components/forms/use-answering-form';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { TextField } from '~/components/ui/text-field';
import { ImagePreview } from './image-preview';
import { ADD_FAILED } from './tracking-texts';
import { uploadTrackingImage } from './upload-tracking-image';
import { emptyField, fieldOf, useFilled } from './use-filled';

/** What this page found out itself: what is wrong with the picture, or that it could not be sent. */
interface Found {
  image?: string;
  failure?: string;
}

/** What can be seen to be wrong with a picture before it is sent; the server looks again. */
function faultOf(file: File | null): string | undefined {
  if (file === null || !TRACKING_IMAGE_ACCEPT.split(',').includes(file.type)) return NOT_AN_IMAGE;
  return file.size >= TRACKING_IMAGE_LIMIT_BYTES ? IMAGE_TOO_LARGE : undefined;
}

/** The picture that the form's own field holds. */
function chosenIn(form: HTMLFormElement | null): File | null {
  return fieldOf(form, 'image')?.files?.[0] ?? null;
}

/** Whether the content is a picture, whatever its name says: what cannot be drawn need not be sent. */
async function canBeDrawn(file: File): Promise<boolean> {
  try {
    (await createImageBitmap(file)).close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Adds a tracking set. Without scripts one form carries name and picture; with them the picture goes first, showing how
 * far it is, and stays sent when something else has to be put right.
 */
export function AddTrackingSet() {
  const { Form, submit, answer, pending } = useAnsweringForm(['add']);
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef<{ file: File; imageUrl: string; name: string } | null>(null);
  const leaving = useRef<AbortController | null>(null);
  const filled = useFilled(form, 'name');
  const [typedBefore] = useState(answer?.values?.name);
  const [file, setFile] = useState<File | null>(null);
  const [share, setShare] = useState<number | null>(null);
  /** Since the last answer. */
  const [found, setFound] = useState<Found | null>(null);

  useEffect(() => () => leaving.current?.abort(), []);

  const lookAtFile = useCallback(() => {
    const chosen = chosenIn(form.current);
    setFile(chosen);
    setFound(chosen === null ? null : { image: faultOf(chosen) });
  }, []);
  // A picture may have been chosen before the page was live.
  useEffect(() => {
    if (chosenIn(form.current) !== null) lookAtFile();
  }, [lookAtFile]);

  const [answered, setAnswered] = useState(answer);
  if (answer !== null && answer !== answered) {
    setAnswered(answer);
    setFound(null);
  }
  useEffect(() => {
    if (answer?.ok !== true) return;
    const [name, image] = [fieldOf(form.current, 'name'), fieldOf(form.current, 'image')];
    // What has been typed or chosen meanwhile stays.
    if (name !== null && name.value === sent.current?.name) emptyField(name);
    if (image !== null && chosenIn(form.current) === sent.current?.file) {
      image.value = '';
      setFile(null);
    }
    sent.current = null;
  }, [answer]);

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
      { intent: 'add', scripts: 'on', name, imageUrl: sent.current.imageUrl },
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
      ? (answer?.errors?.image ?? answer?.errors?.imageUrl)
      : found.image === undefined
        ? undefined
        : [found.image];
  return (
    <Panel title="Add a tracking set">
      {found?.failure === undefined ? null : <Notice kind="error">{found.failure}</Notice>}
      <AnswerNotice answer={found === null ? answer : null} fields={['name', 'image', 'imageUrl']} />
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
          errors={found === null ? answer?.errors?.name : undefined}
        />
        <TextField
          id="tracking-image"
          name="image"
          type="file"
          accept={TRACKING_IMAGE_ACCEPT}
          label="Image"
          hint="Recommended 800x600 or larger, smaller than 5MB."
          onChange={lookAtFile}
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
