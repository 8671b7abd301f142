import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { z } from 'zod';
import type { Viewer } from '#shared/accounts/account';
import { PRODUCT_NAME } from '#shared/brand';
import { readSiteSettings, SETTING_KEY } from '#shared/settings/read-settings';
import { settingOperations } from '#shared/settings/setting-operations';
import { MAX_RETAILER_LENGTH } from '#shared/settings/retailers';
import { addRetailer, moveRetailer, removeRetailer } from '#shared/settings/write-settings';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { DiscordInvite, NewsSwitch } from '~/components/admin/site-setting-forms';
import { RetailerList, type RemovedRetailer } from '~/components/admin/retailer-list';
import { headingOf } from '~/components/admin/sections';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { loadOptional } from '~/http/server/failures.server';
import {
  operationForm,
  pageForms,
  switchField,
  textField,
  type PageForm,
} from '~/http/forms/page-forms.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin, writeOf } from '~/http/auth/session.server';

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

function retailerMove(direction: 'up' | 'down') {
  const schema = z.object({ retailer: textField });
  return {
    schema,
    async run({ retailer }, { viewer }) {
      await moveRetailer(serverContext().db, { retailer, direction, ...writeOf(viewer) });
      return { message: `${retailer.trim()} moved ${direction}.` };
    },
  } satisfies PageForm<typeof schema, Viewer>;
}

const forms = pageForms(
  { path: PAGE, access: requireAdmin, failed: FAILED },
  {
    news: operationForm(settingOperations.write, {
      schema: z.object({ enabled: switchField }),
      input: ({ enabled }) => ({ key: SETTING_KEY.newsEnabled, value: String(enabled) }),
    }),
    'add-retailer': {
      schema: z.object({ retailer: textField }),
      async run({ retailer }, { viewer }) {
        await addRetailer(serverContext().db, { retailer, ...writeOf(viewer) });
      },
      done: 'Retailer added.',
    },
    'remove-retailer': {
      schema: z.object({ retailer: textField }),
      async run({ retailer }, { viewer }) {
        const at = await removeRetailer(serverContext().db, { retailer, ...writeOf(viewer) });
        return at === null ? {} : { details: { retailer: retailer.trim(), at } satisfies RemovedRetailer };
      },
      done: 'Retailer removed.',
    },
    'restore-retailer': {
      schema: z.object({ retailer: textField, at: z.coerce.number().int().min(0) }),
      async run({ retailer, at }, { viewer }) {
        await addRetailer(serverContext().db, { retailer, at, ...writeOf(viewer) });
      },
      done: 'Retailer put back.',
    },
    'retailer-up': retailerMove('up'),
    'retailer-down': retailerMove('down'),
    'discord-invite': operationForm(settingOperations.write, {
      schema: z.object({ value: textField }),
      input: ({ value }) => ({ key: SETTING_KEY.discordInvite, value: value.trim() }),
    }),
  },
);

export const action = forms.action;

export const clientAction = keepFormOnNetworkError(FAILED);

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

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
