import { Link } from '@remix-run/react';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/panel';
import { Switch } from '~/components/ui/switch';

/** The tracking slides' own switch, and how the other one stands that they need as well. */
export function TrackingSwitch({ enabled, slidesEnabled }: { enabled: boolean; slidesEnabled: boolean }) {
  const { Form, result, pending } = useForms(['enable']);
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
      <FormNotice result={result} />
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="enable" />
        <Switch label="Tracking slides" on={on} name="enabled" value={String(!on)} />
      </Form>
    </Panel>
  );
}
