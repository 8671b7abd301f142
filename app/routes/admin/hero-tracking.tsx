import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { readSiteSettings } from '#shared/settings/read-settings';
import { AddTrackingSet } from '~/components/admin/add-tracking-set';
import { AdminSection } from '~/components/admin/admin-section';
import { RenameSetPanel } from '~/components/admin/rename-set';
import { SectionBody } from '~/components/admin/section-body';
import { headingOf } from '~/components/admin/sections';
import { TrackingSetList } from '~/components/admin/tracking-set-list';
import { TrackingSwitch } from '~/components/admin/tracking-switch';
import { TRACKING_FAILED } from '~/components/admin/tracking-texts';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { doneNotice } from '~/http/forms/form-answer.server';
import { loadOrSay } from '~/http/forms/load-optional.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';
import { answerTrackingForm, TRACKING_DONE } from '~/routes/admin/hero-tracking.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/hero-tracking';
const HEADING = headingOf(PAGE);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOrSay(request, async () => {
    const { trackingSets, heroSlides } = await readSiteSettings(db);
    return {
      enabled: trackingSets.enabled,
      sets: trackingSets.trackingSets,
      slidesEnabled: heroSlides.trackingSetsEnabled,
    };
  });
  const asked = new URL(request.url).searchParams.get('remove');
  return {
    loaded,
    removing: loaded?.sets.find(({ id }) => id === asked) ?? null,
    notice: doneNotice(request, TRACKING_DONE),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  return answerTrackingForm(request, await requireAdmin(request), PAGE);
}

export const clientAction = stayWhenLost(TRACKING_FAILED);

export const meta: MetaFunction = () => [{ title: `${HEADING} · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function HeroTracking() {
  const { loaded, removing, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading={HEADING}
      intro="Images of tracked sets, each shown as a slide on the landing page."
      notice={answered ? null : notice}
    >
      <SectionBody
        loaded={loaded}
        again={PAGE}
        failed="Failed to load configuration"
        typedForm={(refused) => {
          if (refused.intent === 'add') return <AddTrackingSet />;
          return refused.intent === 'rename' ? <RenameSetPanel refused={refused} /> : null;
        }}
      >
        {({ sets, enabled, slidesEnabled }) => (
          <div className="grid gap-8">
            <TrackingSetList sets={sets} page={PAGE} removing={removing} />
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <AddTrackingSet />
              <TrackingSwitch enabled={enabled} slidesEnabled={slidesEnabled} />
            </div>
          </div>
        )}
      </SectionBody>
    </AdminSection>
  );
}
