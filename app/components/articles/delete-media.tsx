import { useFetcher } from '@remix-run/react';
import { useEffect } from 'react';
import type { Media } from '#shared/news/article';
import { ScriptsField } from '~/components/forms/scripts-field';
import { Button } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/confirm-dialog';
import { Notice } from '~/components/ui/notice';
import { deleteMediaAddress } from './article-addresses';
import type { DeletionAnswer, MediaDeletion } from './media-answer';

export const DELETE_MEDIA_TITLE = 'Delete this file?';

/** What deleting an image or video means. */
export function DeleteMediaText({ name }: { name: string }) {
  return <p className="text-soft">“{name}” will be permanently deleted. This cannot be undone.</p>;
}

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Asks in place whether an image or video may go; `onDeleted` hears what became of it and of the article's text. */
export function DeleteMediaDialog({
  articleId,
  media: { id, originalName, filePath },
  page,
  onClose,
  onDeleted,
}: {
  articleId: string;
  media: Pick<Media, 'id' | 'originalName' | 'filePath'>;
  page: number;
  onClose: () => void;
  onDeleted: (deletion: MediaDeletion) => void;
}) {
  const fetcher = useFetcher<DeletionAnswer>();
  const answer = fetcher.data;
  useEffect(() => {
    if (answer?.ok === true) onDeleted({ folder: folderOf(filePath), versions: answer.versions });
  }, [answer, filePath, onDeleted]);
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
