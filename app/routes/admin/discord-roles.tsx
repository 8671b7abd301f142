import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { readRolesOverview } from '#shared/role-sync/read-roles';
import { roleOperations } from '#shared/role-sync/role-operations';
import { ROLES_PATH } from '~/components/admin/member-addresses';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { RoleSettingsForm } from '~/components/admin/role-settings-form';
import { RoleDifferences, RolesState, WatchRoles } from '~/components/admin/roles-state';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { titled } from '~/components/site/page-title';
import { requireAdmin } from '~/http/auth/session.server';
import { operationForm, pageForms } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { loadOptional } from '~/http/server/failures.server';

const FAILED = {
  settings: 'Failed to update setting. Please try again.',
  compare: 'Failed to compare the roles',
  apply: 'Failed to change the roles',
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db, clock, config } = serverContext();
  const overview = await loadOptional(() => readRolesOverview(db, clock.now()));
  return { overview, hasBot: config.discord.bot !== null };
}

const forms = pageForms(
  { path: ROLES_PATH, access: requireAdmin, failed: FAILED },
  {
    settings: operationForm(roleOperations.change, {}),
    compare: operationForm(roleOperations.compare, {}),
    apply: operationForm(roleOperations.apply, {}),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const shouldRevalidate = revalidateUnlessOffline;

export const meta: MetaFunction = () => titled('Discord Roles');

export default function DiscordRoles() {
  const { overview: loaded, hasBot } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading="Discord Roles"
      intro="Members with Pro and members with beta access get these roles on your Discord server, and lose them when that access ends."
    >
      <SectionBody
        loaded={loaded}
        retryPath={ROLES_PATH}
        failed="Failed to load the roles"
        typedForm={({ intent }) => (intent === 'settings' ? <RoleSettingsForm settings={null} /> : null)}
      >
        {(overview) => (
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <div className="grid gap-5">
              <RolesState overview={overview} hasBot={hasBot} />
              <RoleDifferences overview={overview} />
            </div>
            <div className="grid gap-5">
              <RoleSettingsForm settings={overview.settings} />
              <WatchRoles overview={overview} />
            </div>
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}
