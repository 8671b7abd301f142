import { Link, useNavigate } from '@remix-run/react';
import type { Audience } from '#shared/alerts/webhooks/webhooks';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass } from '~/components/ui/button';
import { AddressDialog } from '~/components/ui/dialogs';

/** Who hears nothing without the webhook. */
const SILENT: Record<Audience, string> = {
  instant: 'Pro members then get no alert on Discord',
  free: 'The free audience then gets no alert on Discord',
  admin: 'Admins then get warnings by email only',
};

interface DeleteWebhookDialogProps {
  audience: Audience;
  /** What its alerts are about: a watch or a shop. */
  title: string;
  /** Products use another webhook where one is missing. */
  isProduct: boolean;
  leaveTo: string;
}

/** Asks before a webhook is deleted. `leaveTo`: the address of the screen. */
export function DeleteWebhookDialog({ audience, title, isProduct, leaveTo }: DeleteWebhookDialogProps) {
  const { Form, result, pending } = useForms(['delete-webhook'], ({ ok }) => !ok);
  const navigate = useNavigate();
  return (
    <AddressDialog
      title={`Delete the ${audience} webhook?`}
      text={`${isProduct ? `Alerts about ${title} then use the webhook of the shop or of the first watch, if there is one` : `${SILENT[audience]} about ${title}, until a webhook is set again`}. Its URL is not shown again: to put it back you have to copy it in Discord.`}
      onLeave={() => navigate(leaveTo, { replace: true, preventScrollReset: true })}
    >
      <FormNotice result={result} />
      <Link to={leaveTo} replace preventScrollReset className={buttonClass()}>
        Keep it
      </Link>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="audience" value={audience} />
        <Button variant="primary" name="intent" value="delete-webhook" pending={pending !== null}>
          Delete webhook
        </Button>
      </Form>
    </AddressDialog>
  );
}
