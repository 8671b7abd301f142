import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';
import type { StagedFile } from '../storage/file-rule';
import type { StorageContext } from '../storage/upload-records';
import { addTrackingSet } from './change-tracking-sets';
import { SETTING_KEY } from './read-settings';
import { heroSlidesSchema } from './setting-fields';
import { addTrackingImage, addTrackingSetWithImage, type SentImage } from './tracking-image.server';
import { changeHeroSlides, writeSetting, type Setting } from './write-settings';

function describeSetting({ key, value }: Setting): string {
  switch (key) {
    case SETTING_KEY.newsEnabled:
      return value === 'true' ? 'The News section is on.' : 'The News section is off.';
    case SETTING_KEY.discordInvite:
      return value === '' ? 'Invite link removed.' : 'Invite link saved.';
    default:
      return 'Setting saved.';
  }
}

export const settingOperations = {
  write: operation({
    access: 'admin',
    input: z.object({ key: z.string(), value: z.string(), description: z.string().optional() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, setting) =>
      writeSetting(db, { ...setting, actor, clock }),
    sentence: describeSetting,
  }),
  /** Slides that are left out stay as they are. */
  changeHeroSlides: operation({
    access: 'admin',
    input: heroSlidesSchema.partial(),
    run: ({ db, clock }: WriteContext, { actor }: Admin, changes) =>
      changeHeroSlides(db, { changes, actor, clock }),
    sentence: 'Configuration saved.',
  }),
};

export const trackingOperations = {
  uploadImage: operation({
    access: 'admin',
    limit: 'upload',
    input: z.object({ file: z.custom<StagedFile>() }),
    run: (context: StorageContext, _admin: Admin, { file }) => addTrackingImage(context, { file }),
  }),
  /** `image`: the address of one that was uploaded before, or the file of a form. */
  add: operation({
    access: 'admin',
    limit: 'upload',
    input: z.object({ name: z.string(), image: z.custom<string | SentImage | undefined>() }),
    run: (context: StorageContext, { actor }: Admin, { name, image }) =>
      typeof image === 'string'
        ? addTrackingSet(context.db, { name, imageUrl: image, actor, clock: context.clock })
        : addTrackingSetWithImage(context, { name, image, actor }),
    sentence: 'Tracking set added.',
  }),
};
