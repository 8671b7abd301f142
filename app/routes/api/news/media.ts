import { z } from 'zod';
import { deleteMedia } from '#shared/news/delete-media.server';
import { call, endpoint } from '~/http/api/endpoint.server';
import { serverContext } from '~/http/server/context.server';

const api = endpoint('/api/news/admin/media/{id}', {
  DELETE: call({
    summary: 'Takes an image or a video from its article, with its files',
    access: 'admin',
    params: z.object({ id: z.string().max(64) }),
    envelope: 'data',
    answer: z.object({}),
    async run({ caller, params }) {
      await deleteMedia(serverContext(), { mediaId: params.id, actor: { userId: caller.account.id } });
      return {};
    },
  }),
});

export const loader = api.loader;
export const action = api.action;
