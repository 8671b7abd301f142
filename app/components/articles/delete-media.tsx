import { useFetcher } from '@remix-run/react';
import type { Media } from '#shared/news/article';
import type { FormAnswer } from '~/components/forms/form-answer';
import { ScriptsField } from '~/components/forms/scripts-field';
import { Button } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/confirm-dialog';
import { Notice } from '~/components/ui/notice';
import { deleteMediaAddress } from './article-addresses';

export const DELETE_MEDIA_TITLE = 'Delete this file?';

/** What deleting a picture or film means. */
export function DeleteMediaText({ name }: { name: string }) {
  return <p className="text-soft">“{name}” goes for good. This cannot be undone.</p>;
}

/** Asks in place whether a picture or film may go. */
export function DeleteMediaDialog({
  articleId,
  media: { id, originalName },
  page,
  onClose,
}: {
  articleId: string;
  media: Pick<Media, 'id' | 'originalName'>;
  page: number;
  onClose: () => void;
}) {
  const fetcher = useFetcher<FormAnswer>();
  const pending = fetcher.state !== 'idle';
  const refused = !pending && fetcher.data?.ok === false ? fetcher.data.message : null;
  return (
    <ConfirmDialog title={DELETE_MEDIA_TITLE} onClose={onClose}>
      <DeleteMediaText name={originalName} />
      {refused === null ? null : <Notice kind="error">{refused}</Notice>}
      <fetcher.Form
        method="post"
        action={deleteMediaAddress(articleId, id, page)}
        className="flex flex-wrap gap-2.5"
      >
        <ScriptsField />
        <Button type="button" onClick={onClose}>
          Keep it
        </Button>
        <Button look="primary" name="intent" value="delete" pending={pending}>
          Delete file
        </Button>
      </fetcher.Form>
    </ConfirmDialog>
  );
}
