import { useFetcher } from '@remix-run/react';
import { Button } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/confirm-dialog';
import { Notice } from '~/components/ui/notice';
import type { FormAnswer } from '~/components/forms/form-answer';
import { deleteArticleAddress } from './article-addresses';

export const DELETE_ARTICLE_TITLE = 'Delete this article?';

/** What deleting an article means. */
export function DeleteArticleText({ title }: { title: string }) {
  return (
    <p className="text-soft">
      “{title}” and all its images and videos will be permanently deleted. This cannot be undone.
    </p>
  );
}

/** Asks in place whether an article may go. */
export function DeleteArticleDialog({
  id,
  title,
  page,
  onClose,
}: {
  id: string;
  title: string;
  page: number;
  onClose: () => void;
}) {
  const fetcher = useFetcher<FormAnswer>();
  const pending = fetcher.state !== 'idle';
  const refused = !pending && fetcher.data?.ok === false ? fetcher.data.message : null;
  return (
    <ConfirmDialog title={DELETE_ARTICLE_TITLE} onClose={onClose}>
      <DeleteArticleText title={title} />
      {refused === null ? null : <Notice kind="error">{refused}</Notice>}
      <fetcher.Form
        method="post"
        action={deleteArticleAddress(id, page)}
        preventScrollReset
        className="flex flex-wrap gap-2.5"
      >
        <Button type="button" onClick={onClose}>
          Keep it
        </Button>
        <Button look="primary" name="intent" value="delete" pending={pending}>
          Delete article
        </Button>
      </fetcher.Form>
    </ConfirmDialog>
  );
}
