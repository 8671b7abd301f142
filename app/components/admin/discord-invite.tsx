import { AnswerNotice } from '~/components/forms/answer-notice';
import { ScriptsField } from '~/components/forms/scripts-field';
import { useAnsweringForm } from '~/components/forms/use-answering-form';
import { Panel } from '~/components/panel';
import { Button } from '~/components/ui/button';
import { TextField } from '~/components/ui/text-field';

/** Where the Discord card leads to; empty: the card says 'Coming Soon'. */
export function DiscordInvite({ url }: { url: string }) {
  const { Form, answer, pendingIntent } = useAnsweringForm(['discord-invite']);
  return (
    <Panel title="Discord Community">
      <p className="text-soft">
        {url === ''
          ? 'Members see the Discord card as ‘Coming Soon’ until there is an invite link.'
          : 'Members are led to your server by the Discord card.'}
      </p>
      <AnswerNotice answer={answer} fields={['value']} />
      <Form method="post" preventScrollReset className="grid gap-4">
        <ScriptsField />
        <TextField
          id="discord-invite"
          name="value"
          type="url"
          inputMode="url"
          label="Invite link"
          hint="Such as https://discord.gg/… Leave it empty to take the link away."
          autoComplete="off"
          defaultValue={answer?.values?.value ?? url}
          errors={answer?.errors?.value}
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
