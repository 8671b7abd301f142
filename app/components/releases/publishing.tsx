import type { Release } from '#shared/releases/release';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { LongDate } from '~/components/time/dates';
import { Panel } from '~/components/ui/card';
import { namePlatforms, PUBLISH_WAITS, releaseState, splitPlatforms } from './release-texts';

/** The id of the sentence about the files. */
const STATE_ID = 'publishing-files';

/** Publishes a release that has a file, or withdraws it, and says what members see. */
export function Publishing({ release }: { release: Release }) {
  const { Form, result, pendingIntent } = useForms(['publish', 'withdraw']);
  const { present, missing } = splitPlatforms(release);
  const state = releaseState(release);
  return (
    <Panel title="Publishing">
      <p>
        {state === 'Published' ? 'Members can download this version.' : null}
        {state === 'Draft' ? 'Only admins see this version.' : null}
        {state === 'Withdrawn' ? 'Members no longer see this version.' : null}
        {release.publishedAt === null ? null : (
          <>
            {' '}
            First published <LongDate iso={release.publishedAt} />.
          </>
        )}
      </p>
      {missing.length === 0 ? (
        <p className="text-soft">It has a file for each platform.</p>
      ) : (
        <p id={STATE_ID} className="text-soft">
          {present.length === 0
            ? PUBLISH_WAITS
            : `Missing: ${namePlatforms(missing)}. Members there are told that their version is not available yet.`}
        </p>
      )}
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
