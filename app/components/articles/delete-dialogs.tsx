import { useEffect } from 'react';
import type { Media } from '#shared/news/article';
import type { FormResult } from '#shared/site/form-result';
import { useOtherPage } from '~/components/lazy/preload-page';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { ConfirmDialog } from '~/components/ui/dialogs';
import { deleteArticleAddress, deleteMediaAddress, type MediaDeletion } from './articles';

export const DELETE_ARTICLE_TITLE = 'Delete this article?';

/** The consequences of deleting an article. */
export function DeleteArticleText({ title }: { title: string }) {
  return (
    <p className="wrap-anywhere text-soft">
      “{title}” and all its images and videos will be permanently deleted. This cannot be undone.
    </p>
  );
}

interface DeleteArticleDialogProps {
  id: string;
  title: string;
  page: number;
  onClose: () => void;
}

/** Asks for confirmation to delete an article. */
export function DeleteArticleDialog({ id, title, page, onClose }: DeleteArticleDialogProps) {
  const { Form, result, pending } = useForms(['delete']);
  const deletePage = useOtherPage(deleteArticleAddress(id, page));
  return (
    <ConfirmDialog title={DELETE_ARTICLE_TITLE} onClose={onClose}>
      <DeleteArticleText title={title} />
      {/* A success removes the row, and the list shows its notice. */}
      <FormNotice result={result?.ok === false ? result : null} />
      <Form method="post" {...deletePage} preventScrollReset className="flex flex-wrap gap-2.5">
        <Button type="button" onClick={onClose}>
          Keep it
        </Button>
        <Button variant="primary" name="intent" value="delete" pending={pending !== null}>
          Delete article
        </Button>
      </Form>
    </ConfirmDialog>
  );
}

export const DELETE_MEDIA_TITLE = 'Delete this file?';

/** The consequences of deleting an image or video. */
export function DeleteMediaText({ name }: { name: string }) {
  return <p className="text-soft">“{name}” will be permanently deleted. This cannot be undone.</p>;
}

type DeletionDetails = Pick<MediaDeletion, 'versions'> & { mediaId: string };

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** Asks for confirmation to delete an image or video. `onDeleted` gets its folder and the article's versions. */
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
  const isOurs = ({ ok, details }: FormResult<DeletionDetails>) => !ok || details?.mediaId === id;
  const { Form, result, pending } = useForms<DeletionDetails>(['delete'], isOurs);
  const deletePage = useOtherPage(deleteMediaAddress(articleId, id, page));
  const deletion = result?.ok === true ? result : null;
  useEffect(() => {
    if (deletion === null) return;
    onDeleted({ folder: folderOf(filePath), versions: deletion.details?.versions });
    onClose();
  }, [deletion, filePath, onDeleted, onClose]);
  return (
    <ConfirmDialog title={DELETE_MEDIA_TITLE} onClose={onClose}>
      <DeleteMediaText name={originalName} />
      <FormNotice result={deletion === null ? result : null} />
      <Form method="post" {...deletePage} className="flex flex-wrap gap-2.5">
        <Button type="button" onClick={onClose}>
          Keep it
        </Button>
        <Button variant="primary" name="intent" value="delete" pending={pending !== null}>
          Delete file
        </Button>
      </Form>
    </ConfirmDialog>
  );
}
