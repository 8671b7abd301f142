import { RELEASE_NOTES_LIMIT, VERSION_LIMIT } from '#shared/releases/release';
import { Checkbox, TextArea, TextField } from '~/components/ui/fields';

/** The values of a release's form, as text. */
export interface ReleaseValues {
  version: string;
  releaseNotes: string;
  /** "true", or anything else for false. */
  isBeta: string;
}

interface ReleaseFieldsProps {
  values: ReleaseValues;
  errors: Record<string, string[]> | undefined;
}

/** The fields of a release: a new one, or one that exists. */
export function ReleaseFields({ values, errors }: ReleaseFieldsProps) {
  return (
    <>
      <TextField
        id="version"
        name="version"
        label="Version"
        hint="A semantic version, such as 1.4.0 or 2.0.0-beta.1."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={VERSION_LIMIT}
        defaultValue={values.version}
        errors={errors?.version}
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
        id="release-notes"
        name="releaseNotes"
        label="Release notes"
        rows={8}
        maxLength={RELEASE_NOTES_LIMIT}
        hint="Markdown: # heading, - list, **bold**, [text](https://address). Members see them beside the download."
        defaultValue={values.releaseNotes}
        errors={errors?.releaseNotes}
      />
    </>
  );
}
