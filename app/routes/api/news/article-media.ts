import { z } from 'zod';
import { addMedia } from '#shared/news/add-media.server';
import {
  altTextField,
  captionField,
  displayOrderField,
  placementField,
  videoPixelsField,
} from '#shared/news/media-fields';
import { MEDIA_FILE } from '#shared/news/media-rules';
import { mediaSchema } from '~/http/api/schemas.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/admin/articles/{id}/media', {
  POST: call({
    summary: 'Gives an article an image or a video',
    access: 'admin',
    params: z.object({ id: z.string().max(64) }),
    multipart: { file: MEDIA_FILE },
    body: z.object({
      altText: altTextField.optional(),
      caption: captionField.optional(),
      displayOrder: displayOrderField.optional(),
      placement: placementField
        .describe('`text`: an image for the text alone, public while the saved text shows it.')
        .optional(),
      width: videoPixelsField.describe('Of a video, in pixels; ignored without `height`.').optional(),
      height: videoPixelsField.describe('Of a video, in pixels; ignored without `width`.').optional(),
    }),
    limits: ({ caller }) => [{ limit: 'upload', key: caller.account.id }],
    envelope: 'data',
    status: 201,
    answer: z.object({ media: mediaSchema }),
    async run({ caller, params, body, files }) {
      const media = await addMedia(serverContext(), {
        articleId: params.id,
        file: files.file,
        ...body,
        actor: { userId: caller.account.id },
      });
      return { media };
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
