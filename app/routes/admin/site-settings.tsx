import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import { readSiteSettings, SETTING_KEY } from '#shared/settings/read-settings';
import { retailerOperations, settingOperations } from '#shared/settings/setting-operations';
import { MAX_RETAILER_LENGTH } from '#shared/settings/retailers';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { DiscordInvite, NewsSwitch } from '~/components/admin/site-setting-forms';
import { RetailerList, type RemovedRetailer } from '~/components/admin/retailer-list';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { titled } from '~/components/site/page-title';
import { loadOptional } from '~/http/server/failures.server';
import { operationForm, pageForms, switchField, textField } from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';

const PAGE = '/dashboard/site-settings';
const HEADING = headingOf(PAGE);

const FAILED = {
  news: 'Failed to update setting. Please try again.',
  'add-retailer': 'Failed to add retailer. Please try again.',
  'remove-retailer': 'Failed to remove retailer. Please try again.',
  'restore-retailer': 'Failed to add retailer. Please try again.',
  'retailer-up': 'Failed to update setting. Please try again.',
  'retailer-down': 'Failed to update setting. Please try again.',
  'discord-invite': 'Failed to update setting. Please try again.',
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOptional(async () => {
    const { newsEnabled, retailers, discordInviteUrl } = await readSiteSettings(db);
    return { newsEnabled, retailers, discordInvite: discordInviteUrl ?? '' };
  });
  return { loaded, maxRetailerLength: MAX_RETAILER_LENGTH };
}

const retailerForm = z.object({ retailer: textField });

const moveRetailer = (direction: 'up' | 'down') =>
  operationForm(retailerOperations.move, {
    schema: retailerForm,
    input: ({ retailer }) => ({ retailer, direction }),
  });

const forms = pageForms(
  { path: PAGE, access: requireAdmin, failed: FAILED },
  {
    news: operationForm(settingOperations.write, {
      schema: z.object({ enabled: switchField }),
      input: ({ enabled }) => ({ key: SETTING_KEY.newsEnabled, value: String(enabled) }),
    }),
    'add-retailer': operationForm(retailerOperations.add, { schema: retailerForm }),
    'remove-retailer': operationForm(retailerOperations.remove, {
      schema: retailerForm,
      outcome: (at, { retailer }) =>
        at === null ? {} : { details: { retailer: retailer.trim(), at } satisfies RemovedRetailer },
    }),
    'restore-retailer': operationForm(retailerOperations.add, {
      schema: retailerForm.extend({ at: z.coerce.number().int().min(0) }),
    }),
    'retailer-up': moveRetailer('up'),
    'retailer-down': moveRetailer('down'),
    'discord-invite': operationForm(settingOperations.write, {
      schema: z.object({ value: textField }),
      input: ({ value }) => ({ key: SETTING_KEY.discordInvite, value: value.trim() }),
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const meta: MetaFunction = () => titled(HEADING);

export const shouldRevalidate = revalidateUnlessOffline;

export default function SiteSettings() {
  const { loaded, maxRetailerLength } = useLoaderData<typeof loader>();
  return (
    <AdminSection heading={HEADING} intro="Settings for the whole site. Changes go live immediately.">
      <SectionBody
        loaded={loaded}
        retryPath={PAGE}
        failed="Failed to load configuration"
        typedForm={({ intent }) => {
          if (intent === 'add-retailer')
            return <RetailerList retailers={null} maxLength={maxRetailerLength} />;
          return intent === 'discord-invite' ? <DiscordInvite url={null} /> : null;
        }}
      >
        {({ newsEnabled, retailers, discordInvite }) => (
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <NewsSwitch enabled={newsEnabled} />
            <div className="lg:row-span-2">
              <RetailerList retailers={retailers} maxLength={maxRetailerLength} />
            </div>
            <DiscordInvite url={discordInvite} />
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}
