import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/panel';
import { ReleaseFields } from './release-fields';

const EMPTY = { version: '', releaseNotes: '', isBeta: '' };

/** The form of a new release. Its files are uploaded on its own screen. */
export function CreateRelease() {
  const { Form, result, pending } = useForms(['create']);
  return (
    <Panel title="Create a release">
      <FormNotice result={result} fields={['version', 'releaseNotes']} />
      <Form method="post" className="grid gap-4">
        <ReleaseFields
          values={{ ...EMPTY, ...(result?.ok === false ? result.values : undefined) }}
          errors={result?.errors}
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
