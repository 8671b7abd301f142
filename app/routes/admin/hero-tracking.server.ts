import type { Viewer } from '#shared/accounts/account';
import { addTrackingSetWithImage } from '#shared/settings/add-tracking-set.server';
import {
  addTrackingSet,
  changeTrackingSet,
  enableTrackingSets,
  moveTrackingSet,
  removeTrackingSet,
  type MoveDirection,
} from '#shared/settings/change-tracking-sets';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { TRACKING_FAILED } from '~/components/admin/tracking-texts';
import { answerPageForm, refusedForm } from '../../http/forms/form-answer.server';
import { readPageForm } from '../../http/forms/page-form.server';
import { isMultipart, readUpload, type ArrivedFile } from '../../http/forms/read-upload.server';
import { serverContext } from '../../http/server/context.server';

/** What the page says after a form, by the key in its address. */
export const TRACKING_DONE = {
  'slides-on': 'Tracking slides are on.',
  'slides-off': 'Tracking slides are off.',
  'set-added': 'Tracking set added.',
  'set-on': 'Tracking set switched on.',
  'set-off': 'Tracking set switched off.',
  renamed: 'Name saved.',
  moved: 'Order saved.',
  'set-removed': 'Tracking set removed.',
} as const;

type Done = keyof typeof TRACKING_DONE;

/** What each form does, by its intent. `files`: null when the picture went ahead, by the API, as with scripts. */
function worksOf(
  form: URLSearchParams,
  { account }: Viewer,
  files: readonly ArrivedFile[] | null,
): Record<keyof typeof TRACKING_FAILED, () => Promise<Done>> {
  const { db, storage, clock, limits } = serverContext();
  const write = { actor: { userId: account.id }, clock };
  const id = form.get('id') ?? '';
  const name = form.get('name') ?? '';
  const enabled = form.get('enabled') === 'true';
  const move = async (direction: MoveDirection): Promise<Done> => {
    await moveTrackingSet(db, { id, direction, ...write });
    return 'moved';
  };
  return {
    async enable() {
      await enableTrackingSets(db, { enabled, ...write });
      return enabled ? 'slides-on' : 'slides-off';
    },
    async add() {
      if (files === null) await addTrackingSet(db, { name, imageUrl: form.get('imageUrl') ?? '', ...write });
      else {
        await limits.take([{ limit: 'upload', key: account.id }]);
        await addTrackingSetWithImage({ db, storage, clock }, { name, image: files[0], actor: write.actor });
      }
      return 'set-added';
    },
    async switch() {
      await changeTrackingSet(db, { id, changes: { enabled }, ...write });
      return enabled ? 'set-on' : 'set-off';
    },
    async rename() {
      await changeTrackingSet(db, { id, changes: { name }, ...write });
      return 'renamed';
    },
    up: () => move('up'),
    down: () => move('down'),
    async remove() {
      await removeTrackingSet(db, { id, ...write });
      return 'set-removed';
    },
  };
}

/** Works the forms of the tracking sets' page, told apart by their intent, and answers as `answerPageForm` says. */
export async function answerTrackingForm(request: Request, viewer: Viewer, page: string) {
  const answer = (form: URLSearchParams, files: readonly ArrivedFile[] | null) => {
    const works = worksOf(form, viewer, files);
    const forms = Object.fromEntries(
      (Object.keys(works) as (keyof typeof works)[]).map((intent) => [
        intent,
        { failed: TRACKING_FAILED[intent], work: works[intent] },
      ]),
    );
    return answerPageForm(request, { page, form, keep: ['id', 'name'], sentences: TRACKING_DONE, forms });
  };
  if (!isMultipart(request)) return answer(await readPageForm(request), null);
  return readUpload(
    request,
    { files: { image: TRACKING_IMAGE_FILE } },
    ({ fields, files }) => answer(fields, files),
    // Of the page's forms only this one carries a file, behind the name.
    (refusal, heard) =>
      refusedForm(request, refusal, {
        intent: 'add',
        failed: TRACKING_FAILED.add,
        values: { name: heard.get('name') ?? '' },
      }),
  );
}
