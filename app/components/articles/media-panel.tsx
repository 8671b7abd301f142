import { Form, useNavigation } from '@remix-run/react';
import { useEffect } from 'react';
import type { Media } from '#shared/news/article';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/use-hydrated';
import { FileChooser } from './file-chooser';
import { MediaItem } from './media-item';
import type { MediaAnswer, MediaDeletion } from './media-answer';
import { QueuedFiles } from './queued-files';
import { reloadData } from './reload-data';
import type { UploadQueue } from './use-upload-queue';

/**
 * An article's images and videos. Whatever is done to them is done at once, apart from the article's text. `answer`:
 * what came of the last form here, when the page itself is the answer, as it is without scripts.
 */
export function MediaPanel({
  articleId,
  page,
  media,
  featuredImageId,
  answer,
  uploads,
  onDeleted,
}: {
  articleId: string;
  page: number;
  media: readonly Media[];
  featuredImageId: string | null;
  answer: MediaAnswer | null;
  uploads: UploadQueue;
  /** Told of each that was deleted here. */
  onDeleted: (deletion: MediaDeletion) => void;
}) {
  const hydrated = useHydrated();
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
      <noscript>
        <p className="text-small text-soft">
          Save the article first: unsaved changes above are lost when you use a button in this section.
        </p>
      </noscript>
      {answer === null ? null : <MediaRefusals answer={answer} />}
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
              answer={answer?.mediaId === item.id ? answer : null}
              onDeleted={onDeleted}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

/** What went wrong down here, unless it stands beside a field. */
function MediaRefusals({ answer }: { answer: MediaAnswer }) {
  if (answer.ok || answer.errors !== undefined) return null;
  return (
    <>
      <Notice kind="error">{answer.message}</Notice>
      {answer.refusedFiles === undefined ? null : (
        <ul aria-label="Files that were not uploaded" className="grid gap-1 text-live">
          {answer.refusedFiles.map(({ name, reason }, index) => (
            <li key={index}>
              <strong>{name}</strong>: {reason}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Uploading without scripts: the page is sent away and comes back. */
function UploadForm() {
  const pending = useNavigation().state !== 'idle';
  return (
    <Form method="post" encType="multipart/form-data" preventScrollReset className="grid gap-3">
      <FileChooser label="Add images and videos" />
      <p>
        <Button name="intent" value="upload" pending={pending}>
          Upload
        </Button>
      </p>
    </Form>
  );
}
