import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useLoaderData } from '@remix-run/react';
import { readSiteSettings } from '#shared/settings/read-settings';
import { AddTrackingSet } from '~/components/admin/add-tracking-set';
import { AdminSection, SectionBody } from '~/components/admin/admin-section';
import { RenameSetPanel, TrackingSwitch, TRACKING_FAILED } from '~/components/admin/tracking-forms';
import { headingOf } from '~/components/admin/sections';
import { TrackingSetList } from '~/components/admin/tracking-set-list';
import { keepFormOnNetworkError, revalidateUnlessOffline } from '~/components/forms/offline';
import { titled } from '~/components/site/page-title';
import { loadOptional } from '~/http/server/failures.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';
import { z } from 'zod';
import { trackingOperations } from '#shared/settings/setting-operations';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { operationForm, pageForms, switchField, textField } from '~/http/forms/page-forms.server';

const setForm = z.object({ id: textField });

const move = (direction: 'up' | 'down') =>
  operationForm(trackingOperations.move, { schema: setForm, input: ({ id }) => ({ id, direction }) });

/** The forms of the tracking sets' page. */
function trackingForms(path: string) {
  const files = { intent: 'add', shape: { files: { image: TRACKING_IMAGE_FILE } } };
  return pageForms(
    { path, access: requireAdmin, failed: TRACKING_FAILED, files },
    {
      enable: operationForm(trackingOperations.enable, { schema: z.object({ enabled: switchField }) }),
      add: operationForm(trackingOperations.add, {
        schema: z.object({ name: textField, imageUrl: textField }),
        // With scripts the browser has uploaded the image through the API before.
        input: ({ name, imageUrl }, { files }) => ({ name, image: files === null ? imageUrl : files[0] }),
      }),
      switch: operationForm(trackingOperations.change, {
        schema: setForm.extend({ enabled: switchField }),
        input: ({ id, enabled }) => ({ id, changes: { enabled } }),
      }),
      rename: operationForm(trackingOperations.change, {
        schema: setForm.extend({ name: textField }),
        input: ({ id, name }) => ({ id, changes: { name } }),
      }),
      up: move('up'),
      down: move('down'),
      remove: operationForm(trackingOperations.remove, { schema: setForm }),
    },
  );
}

const PAGE = '/dashboard/hero-tracking';
const HEADING = headingOf(PAGE);

export async function loader({ request }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const { db } = serverContext();
  const loaded = await loadOptional(async () => {
    const { trackingSets, heroSlides } = await readSiteSettings(db);
    return {
      enabled: trackingSets.enabled,
      sets: trackingSets.trackingSets,
      slidesEnabled: heroSlides.trackingSetsEnabled,
    };
  });
  const removeId = new URL(request.url).searchParams.get('remove');
  return {
    loaded,
    removing: loaded?.sets.find(({ id }) => id === removeId) ?? null,
  };
}

export const action = trackingForms(PAGE).action;

export const clientAction = keepFormOnNetworkError(TRACKING_FAILED);

export const meta: MetaFunction = () => titled(HEADING);

export const shouldRevalidate = revalidateUnlessOffline;

export default function HeroTracking() {
  const { loaded, removing } = useLoaderData<typeof loader>();
  return (
    <AdminSection
      heading={HEADING}
      intro="Images of tracked sets, each shown as a slide on the landing page."
    >
      <SectionBody
        loaded={loaded}
        retryPath={PAGE}
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
