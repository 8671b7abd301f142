import type { RoleState } from '#shared/role-sync/read-roles';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button, ButtonLink } from '~/components/ui/button';
import { Panel } from '~/components/ui/card';

const SOURCES = { instant: 'Pro', free: 'beta access' } as const;

/** The condition of a role. */
function sourceOf({ audience, watch }: RoleState): string {
  if (audience !== 'watch') return SOURCES[audience];
  return watch?.kind === 'product'
    ? 'Pro while you follow the product'
    : 'Pro and the alerts of its waiting room';
}

/** A role in a sentence for its member. */
function sentenceOf(roleState: RoleState): string {
  const { audience, watch, state, wanted } = roleState;
  const role = watch === null ? `the ${audience} role` : `the role of ${watch.title}`;
  const source = sourceOf(roleState);
  if (state === 'banned') return `The server has banned you, so you do not get ${role}.`;
  if (state === 'absent')
    return wanted ? `Join the server to get ${role}.` : `You get ${role} with ${source}, in our server.`;
  if (state === 'held') return `You have ${role}.`;
  if (state === 'coming') return `You will get ${role} soon.`;
  if (state === 'leaving') return `You will lose ${role} soon: it belongs to ${source}.`;
  return wanted ? `Whether you have ${role} has not been checked yet.` : `You get ${role} with ${source}.`;
}

/** The member's roles on Discord. `roles`: null without a linked Discord account. `invite`: null without an invite link. */
export function DiscordPanel({ roles, invite }: { roles: RoleState[] | null; invite: string | null }) {
  const { Form, result, pendingIntent } = useForms(['checkRoles']);
  const mayJoin = roles !== null && invite !== null && roles.some(({ state }) => state === 'absent');
  return (
    <Panel title="Discord roles">
      <FormNotice result={result} />
      {roles === null ? (
        <p className="text-soft">
          Sign in with Discord to connect your account: members with Pro and with beta access have roles in
          our server.
        </p>
      ) : (
        <>
          {roles.length > 0 ? null : (
            <p className="text-soft">
              With Pro you get roles of products that you follow, and of waiting rooms in your alert settings.
            </p>
          )}
          <ul className="grid gap-1.5">
            {roles.map((role) => (
              <li key={role.watch?.slug ?? role.audience} className="wrap-anywhere">
                {sentenceOf(role)}
              </li>
            ))}
          </ul>
          <div className="flex flex-wrap gap-3">
            {mayJoin ? <ButtonLink href={invite}>Join our Discord</ButtonLink> : null}
            <Form method="post" preventScrollReset>
              <Button name="intent" value="checkRoles" pending={pendingIntent === 'checkRoles'}>
                Check again
              </Button>
            </Form>
          </div>
        </>
      )}
    </Panel>
  );
}
