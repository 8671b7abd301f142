import { fieldsOf, FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { TextField, Switch } from '~/components/ui/fields';
import { Panel } from '~/components/ui/card';

/** The form of the Discord invite link. `url`: empty if there is none; null if it could not be loaded. */
export function DiscordInvite({ url }: { url: string | null }) {
  const { Form, result, pendingIntent } = useForms(['discord-invite']);
  return (
    <Panel title="Discord Community">
      {url === null ? null : (
        <p className="text-soft">
          {url === ''
            ? 'The Discord card shows members ‘Coming Soon’ until there is an invite link.'
            : 'The Discord card takes members to your server.'}
        </p>
      )}
      <FormNotice result={result} fields={['value']} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <TextField
          {...fieldsOf(result, { value: url ?? '' })('value')}
          id="discord-invite"
          type="url"
          inputMode="url"
          label="Invite link"
          hint="For example https://discord.gg/… Leave it empty to remove the link."
        />
        <p>
          <Button name="intent" value="discord-invite" pending={pendingIntent === 'discord-invite'}>
            Save invite link
          </Button>
        </p>
      </Form>
    </Panel>
  );
}

/** The switch of the News section. With scripts it moves immediately, and back if the server rejects the change. */
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
