import { useCallback, useEffect, useRef } from 'react';
import type { FormResult } from '#shared/site/form-result';
import { type Release, RELEASE_NOTES_LIMIT, VERSION_LIMIT } from '#shared/releases/release';
import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { ReleaseNotes } from './release-notes';
import { Checkbox } from '~/components/ui/checkbox';
import { TextArea, TextField } from '~/components/ui/fields';

/** The values of a release's form, as text. */
interface ReleaseValues {
  version: string;
  releaseNotes: string;
  /** "true", or any other text for false. */
  isBeta: string;
}

/** The fields of a release: a new one, or one that exists. */
function ReleaseFields({ result, values }: { result: FormResult | null; values: ReleaseValues }) {
  const field = fieldsOf(result, { ...values });
  return (
    <>
      <TextField
        {...field('version')}
        label="Version"
        hint="A semantic version, such as 1.4.0 or 2.0.0-beta.1."
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={VERSION_LIMIT}
      />
      <Checkbox
        id="is-beta"
        name="isBeta"
        value="true"
        label="Beta"
        hint="Members see that this version is still being tested."
        defaultChecked={values.isBeta === 'true'}
      />
      <TextArea
        {...field('releaseNotes')}
        id="release-notes"
        label="Release notes"
        rows={8}
        maxLength={RELEASE_NOTES_LIMIT}
        hint="Markdown: # heading, - list, **bold**, [text](https://address). Members see them beside the download."
      />
    </>
  );
}

/** The data of the preview's result. */
export interface PreviewDetails {
  html?: string;
}

function valuesOf({ version, releaseNotes, isBeta }: Release): ReleaseValues {
  return { version, releaseNotes, isBeta: String(isBeta) };
}

/** Whether a form's fields differ from the saved release. */
function differs(form: HTMLFormElement, saved: ReleaseValues): boolean {
  const typed = new FormData(form);
  return (
    typed.get('version') !== saved.version ||
    String(typed.get('releaseNotes')).replaceAll('\r\n', '\n').trim() !== saved.releaseNotes ||
    typed.has('isBeta') !== (saved.isBeta === 'true')
  );
}

interface ReleaseFormProps {
  release: Release;
  onChanged: (changed: boolean) => void;
}

/** The version, notes and beta flag of a release, with a preview of the notes. `onChanged`: whether it has unsaved changes. */
export function ReleaseForm({ release, onChanged }: ReleaseFormProps) {
  const { Form, latest, result, pendingIntent } = useForms<PreviewDetails>(['save', 'preview']);
  const form = useRef<HTMLFormElement>(null);
  const { version, releaseNotes, isBeta } = release;
  const update = useCallback(() => {
    const saved = { version, releaseNotes, isBeta: String(isBeta) };
    if (form.current !== null) onChanged(differs(form.current, saved));
  }, [version, releaseNotes, isBeta, onChanged]);
  // After a save, and after the browser has restored fields on a reload.
  useEffect(update, [update]);

  const typed =
    latest?.values === undefined ? valuesOf(release) : { ...valuesOf(release), isBeta: '', ...latest.values };
  const previewed = latest?.intent === 'preview' && latest.ok ? latest.details?.html : undefined;
  const html = previewed ?? release.releaseNotesHtml;
  return (
    <Panel title="Version and notes">
      <FormNotice result={result} fields={['version', 'releaseNotes']} />
      <Form ref={form} method="post" preventScrollReset onInput={update} className="grid gap-4">
        <ReleaseFields result={result} values={typed} />
        <p className="flex flex-wrap gap-2.5">
          <Button variant="primary" name="intent" value="save" pending={pendingIntent === 'save'}>
            Save
          </Button>
          <Button name="intent" value="preview" pending={pendingIntent === 'preview'}>
            Preview notes
          </Button>
        </p>
      </Form>
      <section aria-labelledby="preview-heading" className="border-t border-line pt-4">
        <h3 id="preview-heading" className="mb-3 text-lead leading-tight">
          {previewed === undefined ? 'Notes as members see them' : 'Preview, not saved yet'}
        </h3>
        {html === '' ? <p className="text-soft">No notes.</p> : <ReleaseNotes html={html} />}
      </section>
    </Panel>
  );
}

const EMPTY = { version: '', releaseNotes: '', isBeta: '' };

/** The form of a new release. Its files are uploaded on its own screen. */
export function CreateRelease() {
  const { Form, result, pending } = useForms(['create']);
  return (
    <Panel title="Create a release">
      <FormNotice result={result} fields={['version', 'releaseNotes']} />
      <Form method="post" className="grid gap-4">
        <ReleaseFields
          result={result}
          values={{ ...EMPTY, ...(result?.ok === false ? result.values : undefined) }}
        />
        <p>
          <Button variant="primary" name="intent" value="create" pending={pending !== null}>
            Create release
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
