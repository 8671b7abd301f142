import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/text-field';

/** Where the Discord card leads to; empty: the card says 'Coming Soon'; null when it could not be loaded. */
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
          id="discord-invite"
          name="value"
          type="url"
          inputMode="url"
          label="Invite link"
          hint="For example https://discord.gg/… Leave it empty to remove the link."
          autoComplete="off"
          defaultValue={result?.values?.value ?? url ?? ''}
          errors={result?.errors?.value}
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
