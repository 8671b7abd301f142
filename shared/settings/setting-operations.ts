import { z } from 'zod';
import type { WriteContext } from '../database/transaction';
import { operation, type Admin } from '../operation';
import type { StagedFile } from '../storage/file-rule';
import type { StorageContext } from '../storage/upload-records';
import {
  addTrackingSet,
  changeTrackingSet,
  enableTrackingSets,
  moveTrackingSet,
  removeTrackingSet,
} from './change-tracking-sets';
import { SETTING_KEY } from './read-settings';
import { retailersSchema } from './retailers';
import { heroSlidesSchema } from './setting-fields';
import { addTrackingImage, addTrackingSetWithImage, type SentImage } from './tracking-image.server';
import { trackingSetsSchema } from './tracking-sets';
import {
  addRetailer,
  changeHeroSlides,
  moveRetailer,
  removeRetailer,
  setRetailers,
  setTrackingSets,
  writeSetting,
  type Setting,
} from './write-settings';

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

const retailer = z.object({ retailer: z.string() });
const direction = z.enum(['up', 'down']);

/** What admins do with the list of supported retailers. */
export const retailerOperations = {
  replace: operation({
    access: 'admin',
    input: z.object({ retailers: retailersSchema }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { retailers }) =>
      setRetailers(db, { retailers, actor, clock }),
  }),
  /** `at`: its former place. */
  add: operation({
    access: 'admin',
    input: retailer.extend({ at: z.int().min(0).optional() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, added) =>
      addRetailer(db, { ...added, actor, clock }),
    sentence: (_, { at }) => (at === undefined ? 'Retailer added.' : 'Retailer put back.'),
  }),
  remove: operation({
    access: 'admin',
    input: retailer,
    run: ({ db, clock }: WriteContext, { actor }: Admin, removed) =>
      removeRetailer(db, { ...removed, actor, clock }),
    sentence: 'Retailer removed.',
  }),
  move: operation({
    access: 'admin',
    input: retailer.extend({ direction }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, moved) =>
      moveRetailer(db, { ...moved, actor, clock }),
    sentence: (_, { retailer: name, direction: way }) => `${name.trim()} moved ${way}.`,
  }),
};

const trackingSet = z.object({ id: z.string() });

export const trackingOperations = {
  uploadImage: operation({
    access: 'admin',
    limit: 'upload',
    input: z.object({ file: z.custom<StagedFile>() }),
    run: (context: StorageContext, _admin: Admin, { file }) => addTrackingImage(context, { file }),
  }),
  /** `image`: the address of one that was uploaded, and counted, before, or the file of a form. */
  add: operation({
    access: 'admin',
    limit: { name: 'upload', of: ({ image }) => (typeof image === 'string' ? null : '') },
    input: z.object({ name: z.string(), image: z.custom<string | SentImage | undefined>() }),
    run: (context: StorageContext, { actor }: Admin, { name, image }) =>
      typeof image === 'string'
        ? addTrackingSet(context.db, { name, imageUrl: image, actor, clock: context.clock })
        : addTrackingSetWithImage(context, { name, image, actor }),
    sentence: 'Tracking set added.',
  }),
  replace: operation({
    access: 'admin',
    input: z.object({ config: trackingSetsSchema }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { config }) =>
      setTrackingSets(db, { config, actor, clock }),
  }),
  enable: operation({
    access: 'admin',
    input: z.object({ enabled: z.boolean() }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { enabled }) =>
      enableTrackingSets(db, { enabled, actor, clock }),
    sentence: (_, { enabled }) => (enabled ? 'Tracking slides are on.' : 'Tracking slides are off.'),
  }),
  change: operation({
    access: 'admin',
    input: trackingSet.extend({
      changes: z.object({ name: z.string(), enabled: z.boolean() }).partial(),
    }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id, changes }) =>
      changeTrackingSet(db, { id, changes, actor, clock }),
    sentence(_, { changes: { enabled } }) {
      if (enabled === undefined) return 'Name saved.';
      return enabled ? 'Tracking set switched on.' : 'Tracking set switched off.';
    },
  }),
  move: operation({
    access: 'admin',
    input: trackingSet.extend({ direction }),
    run: ({ db, clock }: WriteContext, { actor }: Admin, moved) =>
      moveTrackingSet(db, { ...moved, actor, clock }),
    sentence: 'Order saved.',
  }),
  remove: operation({
    access: 'admin',
    input: trackingSet,
    run: ({ db, clock }: WriteContext, { actor }: Admin, { id }) =>
      removeTrackingSet(db, { id, actor, clock }),
    sentence: 'Tracking set removed.',
  }),
};
