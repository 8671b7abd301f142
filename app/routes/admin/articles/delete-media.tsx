import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { deleteMedia, type DeletedMedia } from '#shared/news/delete-media.server';
import { findArticle } from '#shared/news/find-article';
import { articleAddress, listPageOf } from '~/components/articles/article-addresses';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import { MEDIA_DELETE_FAILED } from '~/components/articles/article-texts';
import { DELETE_MEDIA_TITLE, DeleteMediaText } from '~/components/articles/delete-media';
import type { DeletionAnswer } from '~/components/articles/media-answer';
import type { FormAnswer } from '~/components/forms/form-answer';
import { stayWhenLost } from '~/components/forms/stay-when-lost';
import { Button } from '~/components/ui/button';
import { ButtonLink } from '~/components/ui/button-link';
import { Notice } from '~/components/ui/notice';
import { attempt } from '~/http/forms/try-action.server';
import { readPageForm, unknownIntent } from '~/http/forms/page-form.server';
import { serverContext } from '~/http/server/context.server';
import { requireAdmin } from '~/http/auth/session.server';

export async function loader({ request, params }: LoaderFunctionArgs) {
  await requireAdmin(request);
  const page = listPageOf(new URL(request.url).searchParams);
  const article = await findArticle(serverContext().db, params.id ?? '');
  const media = article?.media.find(({ id }) => id === params.mediaId);
  if (article === null || media === undefined) throw redirect(articleAddress(params.id ?? '', page));
  return { articleId: article.id, name: media.originalName, page };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const form = await readPageForm(request);
  const intent = form.get('intent');
  if (intent !== 'delete') throw unknownIntent();
  let deleted: DeletedMedia | undefined;
  const refusal = await attempt(request, MEDIA_DELETE_FAILED, async () => {
    const actor = { userId: account.id };
    deleted = await deleteMedia(serverContext(), { mediaId: params.mediaId ?? '', actor });
  });
  // Somebody else was faster: gone is gone.
  if (refusal === null || refusal.status === 404) {
    if (form.get('scripts') === 'on') {
      const answer: DeletionAnswer = { intent, ok: true, message: '', versions: deleted?.versions };
      return answer;
    }
    const page = listPageOf(new URL(request.url).searchParams);
    return redirect(articleAddress(params.id ?? '', page, 'media-deleted'), 303);
  }
  return { intent, ok: false, message: MEDIA_DELETE_FAILED } satisfies FormAnswer;
}

export const clientAction = stayWhenLost({ delete: MEDIA_DELETE_FAILED });

export const meta: MetaFunction = () => [{ title: `Delete File · ${PRODUCT_NAME}` }];

export default function DeleteMedia() {
  const { articleId, name, page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const pending = useNavigation().state !== 'idle';
  return (
    <div className="grid gap-4 pb-6">
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        {DELETE_MEDIA_TITLE}
      </h2>
      <DeleteMediaText name={name} />
      {answer === undefined || pending ? null : <Notice kind="error">{answer.message}</Notice>}
      <Form method="post" replace className="flex flex-wrap gap-2.5">
        <ButtonLink href={articleAddress(articleId, page)}>Keep it</ButtonLink>
        <Button look="primary" name="intent" value="delete" pending={pending}>
          Delete file
        </Button>
      </Form>
    </div>
  );
}
