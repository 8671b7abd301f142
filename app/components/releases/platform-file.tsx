import { useEffect, useRef, useState, type FormEvent } from 'react';
import {
  PLATFORM_FILES,
  RELEASE_FILE_LIMIT_BYTES,
  type Platform,
  type ReleaseFile,
} from '#shared/releases/release';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/fields';
import { Notice } from '~/components/ui/notice';
import { FileFacts } from './file-facts';
import { UploadProgress } from './upload/upload-progress';
import type { ReleaseUploads } from './upload/use-release-uploads';
import { RunningUpload, type ListedUpload, type UploadDetails } from './upload/running-uploads';

/** The fault of a chosen file's name or size; the server also checks its content. */
function fileError(file: File | undefined, platform: Platform): string | null {
  const { label, extension } = PLATFORM_FILES[platform];
  if (file === undefined) return `Choose the ${label} file first.`;
  if (!file.name.toLowerCase().endsWith(extension.toLowerCase()))
    return `The name of a ${label} file ends in ${extension}.`;
  if (file.size === 0) return 'This file is empty.';
  return file.size > RELEASE_FILE_LIMIT_BYTES ? 'This file is larger than 2 GB.' : null;
}

interface PlatformFileProps {
  platform: Platform;
  file: ReleaseFile | undefined;
  downloads: number;
  published: boolean;
  /** An upload that has not ended; perhaps this page's own. */
  listed: ListedUpload | undefined;
  uploads: ReleaseUploads;
}

/** The file of a release for one platform: what is stored, what is being uploaded, and the form that uploads. */
export function PlatformFile({ platform, file, downloads, published, listed, uploads }: PlatformFileProps) {
  const { label, extension } = PLATFORM_FILES[platform];
  const forms = useForms<UploadDetails>(
    ['upload', 'cancel-upload'],
    ({ values, details }) => (details?.platform ?? values?.platform) === platform,
  );
  const { Form, result, pending } = forms;
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<string | null>(null);
  const upload = uploads.of(platform);
  const phase = upload?.state.phase ?? null;
  const isOpen = upload !== null && phase !== 'done' && (phase !== 'failed' || upload.state.resumable);
  const others = listed !== undefined && !uploads.owns(listed.id) ? listed : undefined;

  const wasOpen = useRef(isOpen);
  useEffect(() => {
    // The progress had the focus, and is gone.
    if (wasOpen.current && !isOpen && document.activeElement === document.body)
      form.current?.querySelector<HTMLInputElement>('input[type=file]')?.focus({ preventScroll: true });
    wasOpen.current = isOpen;
  }, [isOpen]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('file');
    const chosen = field instanceof HTMLInputElement ? field.files?.[0] : undefined;
    const wrong = fileError(chosen, platform);
    setError(wrong);
    if (chosen !== undefined && wrong === null) uploads.begin(platform, chosen);
    else if (field instanceof HTMLInputElement) field.focus();
  }

  const failure = phase === 'failed' && !isOpen ? upload?.state.reason : null;
  const errors = error === null ? (pending === null ? result?.errors?.file : undefined) : [error];
  return (
    <li id={platform} className="grid scroll-mt-24 gap-4 py-5 first:pt-0 last:pb-0">
      <h3 className="text-lead leading-tight">{label}</h3>
      {file === undefined ? (
        <p className="text-soft">No file yet.</p>
      ) : (
        <FileFacts file={file} downloads={downloads} />
      )}
      {others === undefined ? null : <RunningUpload upload={others} forms={forms} />}
      {error === null && upload === null ? <FormNotice result={result} fields={['file']} /> : null}
      {failure == null || error !== null ? null : <Notice kind="error">{failure}</Notice>}
      {phase === 'done' && error === null ? <Notice kind="success">{label} file uploaded.</Notice> : null}
      {isOpen ? (
        <UploadProgress platform={platform} upload={upload} uploads={uploads} />
      ) : (
        <Form
          ref={form}
          method="post"
          encType="multipart/form-data"
          preventScrollReset
          onSubmit={onSubmit}
          className="grid gap-3"
        >
          {/* The file comes last: the server checks the other fields before it receives the file. */}
          <input type="hidden" name="intent" value="upload" />
          <input type="hidden" name="platform" value={platform} />
          <TextField
            id={`file-${platform}`}
            name="file"
            type="file"
            accept={extension}
            label={file === undefined ? `${label} file` : `New ${label} file`}
            hint={
              file !== undefined && published
                ? `A ${extension} file, up to 2 GB. Members get it at once; downloads of the old one continue.`
                : `A ${extension} file, up to 2 GB.`
            }
            onChange={() => setError(null)}
            errors={errors}
          />
          <p>
            <Button>
              {file === undefined ? 'Upload' : 'Replace'}
              <span className="sr-only"> the {label} file</span>
            </Button>
          </p>
        </Form>
      )}
    </li>
  );
}
