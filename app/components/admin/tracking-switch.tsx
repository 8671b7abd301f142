import { Link } from '@remix-run/react';
import { AnswerNotice } from '~/components/forms/answer-notice';
import { ScriptsField } from '~/components/forms/scripts-field';
import { useAnsweringForm } from '~/components/forms/use-answering-form';
import { Panel } from '~/components/panel';
import { Switch } from '~/components/ui/switch';

/** The tracking slides' own switch, and how the other one stands that they need as well. */
export function TrackingSwitch({ enabled, slidesEnabled }: { enabled: boolean; slidesEnabled: boolean }) {
  const { Form, answer, pending } = useAnsweringForm(['enable']);
  const on = pending === null ? enabled : pending.get('enabled') === 'true';
  return (
    <Panel title="Tracking slides">
      <p className="text-soft">
        These slides show only while both switches are on: this one, and Tracking sets in{' '}
        <Link
          to="/dashboard/hero-slides"
          prefetch="intent"
          className="underline underline-offset-4 hover:text-brand"
        >
          Hero Slide Configuration
        </Link>
        , which is <strong className="font-semibold text-ink">{slidesEnabled ? 'on' : 'off'}</strong> at the
        moment.
      </p>
      <AnswerNotice answer={answer} />
      <Form method="post" preventScrollReset>
        <ScriptsField />
        <input type="hidden" name="intent" value="enable" />
        <Switch label="Tracking slides" on={on} name="enabled" value={String(!on)} />
      </Form>
    </Panel>
  );
}
