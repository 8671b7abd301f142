import { AnswerNotice } from '~/components/forms/answer-notice';
import { ScriptsField } from '~/components/forms/scripts-field';
import { useAnsweringForm } from '~/components/forms/use-answering-form';
import { Panel } from '~/components/panel';
import { Switch } from '~/components/ui/switch';

/** Switches the whole News section. With scripts it moves at once, and back when the server refused. */
export function NewsSwitch({ enabled }: { enabled: boolean }) {
  const { Form, answer, pending } = useAnsweringForm(['news']);
  const on = pending === null ? enabled : pending.get('enabled') === 'true';
  return (
    <Panel title="News Section">
      <p className="text-soft">
        {on
          ? 'Visitors find news in the menu, on the landing page and at /news.'
          : 'News is hidden: nothing links to it, and /news takes visitors to the landing page. Your articles are not affected.'}
      </p>
      <AnswerNotice answer={answer} />
      <Form method="post" preventScrollReset>
        <ScriptsField />
        <input type="hidden" name="intent" value="news" />
        <Switch label="News Section" on={on} name="enabled" value={String(!on)} />
      </Form>
    </Panel>
  );
}
