import { FormNotice, useFields, useForms } from '~/components/forms/use-forms';
import { Button, buttonClass, Link } from '~/components/ui/button';
import { PageDialog } from '~/components/ui/dialogs';
import { TextField } from '~/components/ui/fields';
import { memberAddress } from '../member-addresses';

interface GrantDialogProps {
  id: string;
  username: string;
  balance: number | null;
  /** Two presses of the button are one request. */
  requestId: string;
}

/** Grants tokens to a member, or takes some back. */
export function GrantDialog({ id, username, balance, requestId }: GrantDialogProps) {
  const { Form, result, latest, pendingIntent } = useForms(['grant']);
  const { form, field } = useFields('grant', latest);
  const page = memberAddress(id);
  return (
    <PageDialog title={`Grant ${username} tokens`} leaveTo={page}>
      <FormNotice result={result?.ok === false ? result : null} fields={['tokens', 'reason']} />
      <Form method="post" preventScrollReset {...form} className="grid gap-4">
        <input type="hidden" name="requestId" value={requestId} />
        <TextField
          {...field('tokens')}
          label="Tokens"
          autoComplete="off"
          hint={`From 1 to 1,000. A number below 0, such as -5, takes back what is there${balance === null ? '' : `: ${balance} now`}.`}
        />
        <TextField
          {...field('reason')}
          label="Reason"
          autoComplete="off"
          hint="Kept with the account. The member can see it in their data download."
        />
        <p className="flex flex-wrap gap-2.5">
          <Link to={page} replace preventScrollReset className={buttonClass()}>
            Cancel
          </Link>
          <Button variant="primary" name="intent" value="grant" pending={pendingIntent === 'grant'}>
            Grant tokens
          </Button>
        </p>
      </Form>
    </PageDialog>
  );
}
