import { Panel } from '~/components/ui/card';
import { Button, Link, LINK_BUTTON_CLASS } from '~/components/ui/button';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { clockAndDay } from '~/components/time/time-format';
import type { ExportState } from '#shared/personal-data/data-exports';

function stateText({ kind, at }: ExportState, now: number): string {
  const time = clockAndDay(at, now);
  switch (kind) {
    case 'making':
      return `The archive that you requested ${time} is being prepared. We will email you the link.`;
    case 'mailed':
      return `The link to your archive is in your mailbox. It works once, until ${time}.`;
    case 'failed':
      return `The archive that you requested ${time} could not be created. Please request it again.`;
    case 'ended':
      return `The link to the archive that you requested ${time} has been used or has expired.`;
  }
}

/** The panel for a member's stored data. `now`: ISO. */
export function DataPanel({ archive, now }: { archive: ExportState | null; now: string }) {
  const { Form, result, pendingIntent } = useForms(['export']);
  return (
    <Panel id="data" title="Your data">
      <div className="grid gap-4">
        <FormNotice result={result} />
        <p className="text-soft">
          You can download everything we hold about you as one zip file, in JSON and CSV. We prepare it and
          email you a link, which works once, for a day, while you are signed in.
        </p>
        {archive === null ? null : <p>{stateText(archive, Date.parse(now))}</p>}
        <Form method="post" preventScrollReset>
          <Button name="intent" value="export" pending={pendingIntent === 'export'}>
            Download my data
          </Button>
        </Form>
        <p>
          <Link to="/account/delete" className={LINK_BUTTON_CLASS}>
            Delete my account…
          </Link>
        </p>
      </div>
    </Panel>
  );
}
