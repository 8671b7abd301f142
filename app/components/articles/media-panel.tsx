import { Form, useNavigation, useRevalidator } from '@remix-run/react';
import { useEffect } from 'react';
import type { Media } from '#shared/news/article';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/use-hydrated';
import { FileChooser } from './file-chooser';
import { MediaItem } from './media-item';
import type { MediaAnswer } from './media-answer';
import { QueuedFiles } from './queued-files';
import type { UploadQueue } from './use-upload-queue';

/**
 * An article's pictures and films. Whatever is done to them is done at once, apart from the article's text. `answer`:
 * what came of the last form here, when the page itself is the answer, as it is without scripts.
 */
export function MediaPanel({
  articleId,
  page,
  media,
  inText,
  featuredImageId,
  answer,
  uploads,
}: {
  articleId: string;
  page: number;
  media: readonly Media[];
  /** The ids of those that stand in the text as it is saved. */
  inText: readonly string[];
  featuredImageId: string | null;
  answer: MediaAnswer | null;
  uploads: UploadQueue;
}) {
  const hydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const { files, sendTo } = uploads;
  useEffect(() => {
    if (files.some(({ state }) => state === 'waiting')) sendTo(articleId, revalidate);
  }, [files, sendTo, articleId, revalidate]);

  return (
    <section
      aria-labelledby="media-heading"
      className="-mx-4 grid gap-4 border-t border-line px-4 pt-6 pb-6 sm:-mx-7 sm:px-7"
    >
      <h3 id="media-heading" className="text-lead leading-tight">
        Pictures and films
      </h3>
      <p className="text-small text-soft">
        What stands in the text is shown there; the rest is shown below it, in this order. What you do here is
        saved at once.
      </p>
      <noscript>
        <p className="text-small text-soft">
          Save the text first: what is typed above and not saved is lost when a button down here is pressed.
        </p>
      </noscript>
      {answer === null ? null : <MediaRefusals answer={answer} />}
      {hydrated ? (
        <>
          <FileChooser label="Add pictures and films" onFiles={uploads.add} />
          <QueuedFiles uploads={uploads} />
        </>
      ) : (
        <UploadForm />
      )}
      {media.length === 0 ? (
        <p className="rounded-pocket border border-dashed border-soft p-6 text-center text-soft">
          No pictures or films yet
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
              inText={inText.includes(item.id)}
              first={index === 0}
              last={index === media.length - 1}
              answer={answer?.mediaId === item.id ? answer : null}
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
        <ul aria-label="Files that were not taken" className="grid gap-1 text-live">
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
      <FileChooser label="Add pictures and films" />
      <p>
        <Button name="intent" value="upload" pending={pending}>
          Upload
        </Button>
      </p>
    </Form>
  );
}
