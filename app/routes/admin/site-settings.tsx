import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { readSiteSettings, SETTING_KEY } from '#shared/settings/read-settings';
import { LONGEST_RETAILER } from '#shared/settings/retailers';
import { addRetailer, removeRetailer, setNewsEnabled, writeSetting } from '#shared/settings/write-settings';
import { AdminSection } from '~/components/admin/admin-section';
import { DiscordInvite } from '~/components/admin/discord-invite';
import { NewsSwitch } from '~/components/admin/news-switch';
import { RetailerList } from '~/components/admin/retailer-list';
import { SectionBody } from '~/components/admin/section-body';
import { headingOf } from '~/components/admin/sections';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { answerPageForm, doneNotice } from '~/http/forms/form-answer.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { readPageForm } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/site-settings';
const HEADING = headingOf(PAGE);

const FAILED = {
  news: 'Failed to update setting. Please try again.',
  'add-retailer': 'Failed to add retailer. Please try again.',
  'remove-retailer': 'Failed to remove retailer. Please try again.',
  'discord-invite': 'Failed to update setting. Please try again.',
} as const;

const DONE = {
  'news-on': 'The News section is on.',
  'news-off': 'The News section is off.',
  'retailer-added': 'Retailer added.',
  'retailer-removed': 'Retailer removed.',
  'invite-saved': 'Invite link saved.',
  'invite-removed': 'Invite link removed.',
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOrSay(request, async () => {
    const { newsEnabled, retailers, discordInviteUrl } = await readSiteSettings(db);
    return { newsEnabled, retailers, discordInvite: discordInviteUrl ?? '' };
  });
  return { loaded, longestRetailer: LONGEST_RETAILER, notice: doneNotice(request, DONE) };
}

/** The page's forms, told apart by their intent. */
export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const { db, clock } = serverContext();
  const actor = { userId: account.id };
  const retailer = form.get('retailer') ?? '';
  return answerPageForm(request, {
    page: PAGE,
    form,
    keep: ['retailer', 'value'],
    sentences: DONE,
    forms: {
      news: {
        failed: FAILED.news,
        async work() {
          const enabled = form.get('enabled') === 'true';
          await setNewsEnabled(db, { enabled, actor, clock });
          return enabled ? 'news-on' : 'news-off';
        },
      },
      'add-retailer': {
        failed: FAILED['add-retailer'],
        async work() {
          await addRetailer(db, { retailer, actor, clock });
          return 'retailer-added';
        },
      },
      'remove-retailer': {
        failed: FAILED['remove-retailer'],
        async work() {
          await removeRetailer(db, { retailer, actor, clock });
          return 'retailer-removed';
        },
      },
      'discord-invite': {
        failed: FAILED['discord-invite'],
        async work() {
          const value = (form.get('value') ?? '').trim();
          await writeSetting(db, { key: SETTING_KEY.discordInvite, value, actor, clock });
          return value === '' ? 'invite-removed' : 'invite-saved';
        },
      },
    },
  });
}

export const clientAction = stayWhenLost(FAILED);

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function SiteSettings() {
  const { loaded, longestRetailer, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading={HEADING}
      intro="Settings for the whole site. Changes go live immediately."
      notice={answered ? null : notice}
    >
      <SectionBody
        loaded={loaded}
        again={PAGE}
        failed="Failed to load configuration"
        typedForm={({ intent }) => {
          if (intent === 'add-retailer') return <RetailerList retailers={null} longest={longestRetailer} />;
          return intent === 'discord-invite' ? <DiscordInvite url={null} /> : null;
        }}
      >
        {({ newsEnabled, retailers, discordInvite }) => (
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <NewsSwitch enabled={newsEnabled} />
            <div className="lg:row-span-2">
              <RetailerList retailers={retailers} longest={longestRetailer} />
            </div>
            <DiscordInvite url={discordInvite} />
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}
