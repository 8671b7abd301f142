import type { Release } from '#shared/releases/release';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { Panel } from '~/components/ui/card';
import { publishingTexts, splitPlatforms } from './release-texts';

/** The id of the sentence about the files. */
const STATE_ID = 'publishing-files';

/** Publishes a release that has a file, or withdraws it, and says what members see. */
export function Publishing({ release }: { release: Release }) {
  const { Form, result, pendingIntent } = useForms(['publish', 'withdraw']);
  const { present } = splitPlatforms(release);
  const { members, files } = publishingTexts(release);
  return (
    <Panel title="Publishing">
      <p>
        {members}
        {release.publishedAt === null ? null : (
          <>
            {' '}
            First published <LongDate iso={release.publishedAt} />.
          </>
        )}
      </p>
      <p id={STATE_ID} className="text-soft">
        {files}
      </p>
      <FormNotice result={result} />
      <Form method="post" preventScrollReset>
        {release.published ? (
          <Button name="intent" value="withdraw" pending={pendingIntent === 'withdraw'}>
            Withdraw
          </Button>
        ) : (
          <Button
            variant="primary"
            name="intent"
            value="publish"
            aria-describedby={present.length === 0 ? STATE_ID : undefined}
            pending={pendingIntent === 'publish'}
          >
            Publish
          </Button>
        )}
      </Form>
    </Panel>
  );
}
