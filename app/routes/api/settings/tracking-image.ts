import { z } from 'zod';
import { addTrackingImage } from '#shared/settings/tracking-image.server';
import { TRACKING_IMAGE_FILE } from '#shared/settings/tracking-image-rules';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/settings/tracking-sets/upload', {
  POST: call({
    summary: 'Uploads an image for a tracking set; it is kept once a saved set uses it',
    access: 'admin',
    multipart: { image: TRACKING_IMAGE_FILE },
    limits: ({ caller }) => [{ limit: 'upload', key: caller.account.id }],
    envelope: 'data',
    status: 201,
    answer: z.object({ imageUrl: z.string() }),
    run: ({ files }) => addTrackingImage(serverContext(), { file: files.image }),
  }),
});

export const loader = api.loader;
export const action = api.action;
