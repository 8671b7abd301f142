import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/panel';
import { Switch } from '~/components/ui/switch';

/** Switches the whole News section. With scripts it moves at once, and back when the server refused. */
export function NewsSwitch({ enabled }: { enabled: boolean }) {
  const { Form, result, pending } = useForms(['news']);
  const on = pending === null ? enabled : pending.get('enabled') === 'true';
  return (
    <Panel title="News Section">
      <p className="text-soft">
        {on
          ? 'Visitors find news in the menu, on the landing page and at /news.'
          : 'News is hidden: nothing links to it, and /news takes visitors to the landing page. Your articles are not affected.'}
      </p>
      <FormNotice result={result} />
      <Form method="post" preventScrollReset>
        <input type="hidden" name="intent" value="news" />
        <Switch label="News Section" on={on} name="enabled" value={String(!on)} />
      </Form>
    </Panel>
  );
}
