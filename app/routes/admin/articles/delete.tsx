import {
  redirect,
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node';
import { Form, useActionData, useLoaderData, useNavigation } from '@remix-run/react';
import { PRODUCT_NAME } from '#shared/brand';
import { deleteArticle } from '#shared/news/delete-article.server';
import { findArticle } from '#shared/news/find-article';
import { listAddress, listPageOf } from '~/components/articles/article-addresses';
import { FRAME_HEADING_ID } from '~/components/articles/article-frame';
import { DELETE_FAILED } from '~/components/articles/article-texts';
import { DELETE_ARTICLE_TITLE, DeleteArticleText } from '~/components/articles/delete-article';
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
  if (article === null) throw redirect(listAddress(page));
  return { title: article.title, page };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const { account } = await requireAdmin(request);
  const intent = (await readPageForm(request)).get('intent');
  if (intent !== 'delete') throw unknownIntent();
  const refusal = await attempt(request, DELETE_FAILED, () =>
    deleteArticle(serverContext(), { id: params.id ?? '', actor: { userId: account.id } }),
  );
  // Somebody else was faster: gone is gone.
  if (refusal === null || refusal.status === 404) {
    return redirect(listAddress(listPageOf(new URL(request.url).searchParams), 'deleted'), 303);
  }
  return { intent, ok: false, message: DELETE_FAILED } satisfies FormAnswer;
}

export const clientAction = stayWhenLost({ delete: DELETE_FAILED });

export const meta: MetaFunction = () => [{ title: `Delete Article · ${PRODUCT_NAME}` }];

export default function DeleteArticle() {
  const { title, page } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const pending = useNavigation().state !== 'idle';
  return (
    <div className="grid gap-4 pb-6">
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        {DELETE_ARTICLE_TITLE}
      </h2>
      <DeleteArticleText title={title} />
      {answer === undefined || pending ? null : <Notice kind="error">{answer.message}</Notice>}
      <Form method="post" replace className="flex flex-wrap gap-2.5">
        <ButtonLink href={listAddress(page)}>Keep it</ButtonLink>
        <Button look="primary" name="intent" value="delete" pending={pending}>
          Delete article
        </Button>
      </Form>
    </div>
  );
}
