import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { FormDialog } from '~/components/forms/confirmations';
import { useForms } from '~/components/forms/use-forms';

/** The audience that gets nothing without the webhook. */
const SILENT: Record<Audience, string> = {
  instant: 'Pro members then get no alert on Discord',
  free: 'The free audience then gets no alert on Discord',
  admin: 'Admins then get warnings by email only',
};

interface DeleteWebhookDialogProps {
  audience: Audience;
  /** The subject of its alerts: a watch or a shop. */
  title: string;
  /** Products use another webhook where one is missing. */
  isProduct: boolean;
  leaveTo: string;
}

/** Asks before a webhook is deleted. `leaveTo`: the address of the screen. */
export function DeleteWebhookDialog({ audience, title, isProduct, leaveTo }: DeleteWebhookDialogProps) {
  const forms = useForms(['delete-webhook'], ({ ok }) => !ok);
  return (
    <FormDialog
      title={`Delete the ${audience} webhook?`}
      text={`${isProduct ? `Alerts about ${title} then use the webhook of the shop or of the first watch, if there is one` : `${SILENT[audience]} about ${title}, until a webhook is set again`}. Its URL is not shown again. To restore it, you have to copy it in Discord.`}
      leaveTo={leaveTo}
      leave="Keep it"
      forms={forms}
      refusal={forms.result}
      intent="delete-webhook"
      label="Delete webhook"
      fields={{ audience }}
    />
  );
}
