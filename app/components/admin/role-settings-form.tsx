import type { RoleSettings } from '#shared/roles/role-settings';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';
import { Checkbox } from '~/components/ui/checkbox';
import { TextField } from '~/components/ui/fields';

const FIELDS = ['instant', 'free'] as const;

const LABELS = {
  instant: { label: 'Role of members with Pro', hint: 'Opens the instant channel. Empty for none.' },
  free: { label: 'Role of members with beta access', hint: 'Opens the free channel. Empty for none.' },
} as const;

/** The ids of the roles, and whether the sign-in asks to join the server. Null: they could not be loaded. */
export function RoleSettingsForm({ settings }: { settings: RoleSettings | null }) {
  const { Form, result, pendingIntent } = useForms(['settings']);
  const asks = result?.values === undefined ? settings?.joinAtSignIn : result.values.joinAtSignIn === 'on';
  return (
    <Panel title="Settings">
      <FormNotice result={result} fields={FIELDS} />
      <Form method="post" preventScrollReset className="grid gap-4">
        {FIELDS.map((name) => (
          <TextField
            key={name}
            id={`role-${name}`}
            name={name}
            {...LABELS[name]}
            inputMode="numeric"
            autoComplete="off"
            defaultValue={result?.values?.[name] ?? settings?.[name] ?? ''}
            errors={result?.errors?.[name]}
          />
        ))}
        <Checkbox
          id="join-at-sign-in"
          name="joinAtSignIn"
          label="Add members to the server when they sign in"
          hint="Discord asks them for this permission at each sign-in. The bot needs “Create Invite” for it."
          defaultChecked={asks}
        />
        <p>
          <Button variant="primary" name="intent" value="settings" pending={pendingIntent === 'settings'}>
            Save roles
          </Button>
        </p>
      </Form>
    </Panel>
  );
}
