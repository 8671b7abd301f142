import { z } from 'zod';
import { operation, type Admin } from '../../operation';
import type { StagedFile } from '../../storage/file-rule';
import type { StorageContext } from '../../storage/upload-records';
import { addMedia } from './add-media.server';
import { deleteMedia } from './delete-media.server';
import {
  altTextField,
  captionField,
  displayOrderField,
  displayOrderText,
  placementField,
  videoPixelsField,
  videoPixelsText,
} from './media-fields';

/** The words and facts that come with a file. */
export const newMediaFields = z.object({
  altText: altTextField.optional(),
  caption: captionField.optional(),
  displayOrder: displayOrderText.optional(),
  placement: placementField
    .describe('`text`: an inline image; it is public only while the saved text contains it.')
    .optional(),
  width: videoPixelsText.describe('Of a video, in pixels; ignored without `height`.').optional(),
  height: videoPixelsText.describe('Of a video, in pixels; ignored without `width`.').optional(),
});

export const FILE_DELETED = 'File deleted.';

export const mediaOperations = {
  add: operation({
    access: 'admin',
    limit: 'upload',
    input: newMediaFields.extend({
      displayOrder: displayOrderField.optional(),
      width: videoPixelsField.optional(),
      height: videoPixelsField.optional(),
      articleId: z.string(),
      file: z.custom<StagedFile>(),
    }),
    run: (context: StorageContext, { actor }: Admin, media) => addMedia(context, { ...media, actor }),
    sentence: 'Files uploaded.',
  }),
  delete: operation({
    access: 'admin',
    input: z.object({ id: z.string().max(64) }),
    run: (context: StorageContext, { actor }: Admin, { id }) => deleteMedia(context, { mediaId: id, actor }),
    sentence: FILE_DELETED,
  }),
};
