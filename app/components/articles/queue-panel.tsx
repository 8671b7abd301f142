import { useHydrated } from '~/components/use-hydrated';
import { FileChooser } from './file-chooser';
import { QueuedFiles } from './queued-files';
import type { UploadQueue } from './use-upload-queue';

/** Images and videos for an article that does not exist yet: they wait here until it is saved. */
export function QueuePanel({ uploads }: { uploads: UploadQueue }) {
  const hydrated = useHydrated();
  return (
    <section aria-labelledby="queue-heading" className="grid gap-4 border-t border-line pt-5">
      <h3 id="queue-heading" className="text-lead leading-tight">
        Images and videos
      </h3>
      {hydrated ? (
        <>
          <FileChooser label="Add images and videos" onFiles={uploads.add} />
          <QueuedFiles uploads={uploads} />
        </>
      ) : (
        <p className="text-soft">Save the article first, then add them here.</p>
      )}
    </section>
  );
}
