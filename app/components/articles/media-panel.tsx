import { useCallback, useEffect, useState } from 'react';
import type { Media } from '#shared/news/article';
import { reloadData } from '~/components/forms/reload-data';
import type { FormResult } from '#shared/site/form-result';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { useHydrated } from '~/components/ui/use-hydrated';
import type { MediaDeletion, MediaDetails } from './articles';
import { DeleteMediaDialog } from './delete-dialogs';
import { MediaItem } from './media-item';
import { FileChooser, QueuedFiles } from './upload-queue';
import type { UploadQueue } from './use-upload-queue';

const MEDIA_INTENTS = ['caption', 'move-up', 'move-down', 'feature-image', 'unfeature-image', 'delete'];

interface MediaPanelProps {
  articleId: string;
  page: number;
  media: readonly Media[];
  featuredImageId: string | null;
  uploads: UploadQueue;
  /** Called for each deletion. */
  onDeleted: (deletion: MediaDeletion) => void;
}

/** An article's images and videos. Their forms save immediately, independent of the article's text. */
export function MediaPanel({ articleId, page, media, featuredImageId, uploads, onDeleted }: MediaPanelProps) {
  const hydrated = useHydrated();
  const { result } = useForms<MediaDetails>(MEDIA_INTENTS);
  const [deleting, setDeleting] = useState<Media | null>(null);
  const closeDialog = useCallback(() => setDeleting(null), []);
  const { files, sendTo } = uploads;
  useEffect(() => {
    if (files.some(({ state }) => state === 'waiting')) sendTo(articleId, reloadData);
  }, [files, sendTo, articleId]);

  return (
    <section
      aria-labelledby="media-heading"
      className="-mx-4 grid gap-4 border-t border-line px-4 pt-6 pb-6 sm:-mx-7 sm:px-7"
    >
      <h3 id="media-heading" className="text-lead leading-tight">
        Images and videos
      </h3>
      <p className="text-small text-soft">
        Images in the text are shown there; everything else is shown below it, in this order. Changes here are
        saved straight away.
      </p>
      <p className="hidden text-small text-soft noscript:block">
        Save the article first: unsaved changes above are lost when you use a button in this section.
      </p>
      {/* With scripts each item shows its own results. */}
      {result?.ok === true && !hydrated ? <FormNotice result={result} /> : null}
      {hydrated ? (
        <>
          <FileChooser label="Add images and videos" onFiles={uploads.add} />
          <QueuedFiles uploads={uploads} />
        </>
      ) : (
        <UploadForm />
      )}
      {media.length === 0 ? (
        <p className="rounded-pocket border border-dashed border-soft p-6 text-center text-soft">
          No images or videos yet
        </p>
      ) : (
        <ol className="divide-y divide-line border-t border-line">
          {media.map((item, index) => (
            <MediaItem
              key={item.id}
              media={item}
              articleId={articleId}
              page={page}
              featured={item.id === featuredImageId}
              first={index === 0}
              last={index === media.length - 1}
              onDelete={() => setDeleting(item)}
            />
          ))}
        </ol>
      )}
      {deleting === null ? null : (
        <DeleteMediaDialog
          articleId={articleId}
          media={deleting}
          page={page}
          onClose={closeDialog}
          onDeleted={onDeleted}
        />
      )}
    </section>
  );
}

/** The upload form without scripts. */
function UploadForm() {
  const { Form, result, pending } = useForms<MediaDetails>(['upload']);
  return (
    <Form method="post" encType="multipart/form-data" preventScrollReset className="grid gap-3">
      <FormNotice result={result} />
      <RefusedFiles result={result} />
      <FileChooser label="Add images and videos" />
      <p>
        <Button name="intent" value="upload" pending={pending !== null}>
          Upload
        </Button>
      </p>
    </Form>
  );
}

function RefusedFiles({ result }: { result: FormResult<MediaDetails> | null }) {
  const files = result?.details?.refusedFiles ?? [];
  if (files.length === 0) return null;
  return (
    <ul aria-label="Files that were not uploaded" className="grid gap-1 text-live">
      {files.map(({ name, reason }, index) => (
        <li key={index}>
          <strong>{name}</strong>: {reason}
        </li>
      ))}
    </ul>
  );
}
