import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { useActionData, useLoaderData } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import type { Actor } from '#shared/audit/write-audit';
import type { Clock } from '#shared/clock';
import { DomainError } from '#shared/errors';
import {
  addTrackingSet,
  changeTrackingSet,
  enableTrackingSets,
  faultsOfTrackingSet,
  moveTrackingSet,
  removeTrackingSet,
  type MoveDirection,
} from '#shared/settings/change-tracking-sets';
import { readSiteSettings } from '#shared/settings/read-settings';
import { addTrackingImage } from '#shared/settings/tracking-image.server';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { AddTrackingSet, ADD_FAILED } from '~/components/admin/add-tracking-set';
import { AdminSection } from '~/components/admin/admin-section';
import { LoadFailed } from '~/components/admin/load-failed';
import { TrackingSetList } from '~/components/admin/tracking-set-list';
import { TrackingSwitch } from '~/components/admin/tracking-switch';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { answerPageForm, doneNotice, refusedForm, type PageForm } from '~/http/form-answer.server';
import { failureOf } from '~/http/failures.server';
import { loadOrSay } from '~/http/load-or-say.server';
import { readPageForm } from '~/http/page-form.server';
import { isMultipart, readUpload, type ArrivedFile } from '~/http/read-upload.server';
import { serverContext } from '~/http/server-context.server';
import { requireAdmin } from '~/http/session.server';
import { revalidateUnlessLost } from '~/components/forms/revalidate-unless-lost';

const PAGE = '/dashboard/hero-tracking';

const SAVE_FAILED = 'Failed to save tracking sets. Please try again.';
const FAILED = {
  add: ADD_FAILED,
  enable: SAVE_FAILED,
  switch: SAVE_FAILED,
  rename: SAVE_FAILED,
  up: SAVE_FAILED,
  down: SAVE_FAILED,
  remove: SAVE_FAILED,
} as const;

const DONE = {
  'slides-on': 'Tracking slides are on.',
  'slides-off': 'Tracking slides are off.',
  'set-added': 'Tracking set added.',
  'set-on': 'Tracking set switched on.',
  'set-off': 'Tracking set switched off.',
  renamed: 'Name saved.',
  moved: 'Order saved.',
  'set-removed': 'Tracking set removed.',
} as const;

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
    notice: doneNotice(request, DONE),
  };
}

/** Takes in the picture that came with the form of a new set, when the rest of the form is right. Returns its address. */
async function takeImage(name: string, arrived: ArrivedFile | undefined): Promise<string> {
  const refused = arrived === undefined ? TRACKING_IMAGE_FILE.refusal('missing') : arrived.refused;
  const fieldErrors = { ...faultsOfTrackingSet({ name }), ...refused?.fieldErrors };
  const [first] = Object.values(fieldErrors).flat();
  if (first !== undefined || arrived?.file === undefined) {
    throw new DomainError('Invalid', {
      code: 'invalid_tracking_set',
      message: first ?? ADD_FAILED,
      fieldErrors,
    });
  }
  const { imageUrl } = await addTrackingImage(serverContext(), { file: arrived.file });
  return imageUrl;
}

type Write = { actor: Actor; clock: Clock };

/** The page's forms, told apart by their intent. */
function formsOf(
  form: URLSearchParams,
  write: Write,
  imageUrl: () => Promise<string> | string,
): Record<keyof typeof FAILED, PageForm> {
  const { db } = serverContext();
  const id = form.get('id') ?? '';
  const name = form.get('name') ?? '';
  const enabled = form.get('enabled') === 'true';
  const move = (direction: MoveDirection): PageForm => ({
    failed: SAVE_FAILED,
    async work() {
      await moveTrackingSet(db, { id, direction, ...write });
      return 'moved';
    },
  });
  return {
    enable: {
      failed: SAVE_FAILED,
      async work() {
        await enableTrackingSets(db, { enabled, ...write });
        return enabled ? 'slides-on' : 'slides-off';
      },
    },
    add: {
      failed: ADD_FAILED,
      async work() {
        await addTrackingSet(db, { name, imageUrl: await imageUrl(), ...write });
        return 'set-added';
      },
    },
    switch: {
      failed: SAVE_FAILED,
      async work() {
        await changeTrackingSet(db, { id, changes: { enabled }, ...write });
        return enabled ? 'set-on' : 'set-off';
      },
    },
    rename: {
      failed: SAVE_FAILED,
      async work() {
        await changeTrackingSet(db, { id, changes: { name }, ...write });
        return 'renamed';
      },
    },
    up: move('up'),
    down: move('down'),
    remove: {
      failed: SAVE_FAILED,
      async work() {
        await removeTrackingSet(db, { id, ...write });
        return 'set-removed';
      },
    },
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const { clock, limits } = serverContext();
  const write = { actor: { userId: account.id }, clock };
  const answer = (form: URLSearchParams, imageUrl: () => Promise<string> | string) =>
    answerPageForm(request, {
      page: PAGE,
      form,
      keep: ['id', 'name'],
      sentences: DONE,
      forms: formsOf(form, write, imageUrl),
    });
  if (!isMultipart(request)) {
    const form = await readPageForm(request);
    // With scripts the picture went ahead, by the API.
    return answer(form, () => form.get('imageUrl') ?? '');
  }
  try {
    await limits.take([{ limit: 'upload', key: account.id }]);
    return await readUpload(request, { files: { image: TRACKING_IMAGE_FILE } }, ({ fields, files }) =>
      answer(fields, () => takeImage(fields.get('name') ?? '', files[0])),
    );
  } catch (error) {
    // Of the page's forms only this one carries a file; a form that broke off has no fields.
    if (failureOf(error) === null) throw error;
    return refusedForm(request, error, { intent: 'add', failed: ADD_FAILED });
  }
}

export const clientAction = stayWhenLost(FAILED);

export const meta: MetaFunction = () => [{ title: `Hero Tracking Slides · ${PRODUCT_NAME}` }];

export const shouldRevalidate = revalidateUnlessLost;

export default function HeroTracking() {
  const { loaded, removing, notice } = useLoaderData<typeof loader>();
  const answered = useActionData<typeof action>() !== undefined;
  return (
    <AdminSection
      heading="Hero Tracking Slides"
      intro="Pictures of sets that are tracked, each a slide of the landing page."
      notice={answered ? null : notice}
    >
      {loaded === null ? (
        <LoadFailed again={PAGE}>Failed to load configuration</LoadFailed>
      ) : (
        <div className="grid gap-8">
          <TrackingSetList sets={loaded.sets} page={PAGE} removing={removing} />
          <div className="grid items-start gap-5 lg:grid-cols-2">
            <AddTrackingSet />
            <TrackingSwitch enabled={loaded.enabled} slidesEnabled={loaded.slidesEnabled} />
          </div>
        </div>
      )}
    </AdminSection>
  );
}
