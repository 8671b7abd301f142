import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext';
import { useLexicalNodeSelection } from '@lexical/react/useLexicalNodeSelection';
import { $getNodeByKey, type NodeKey } from 'lexical';
import { useSyncExternalStore } from 'react';
import { useWriterServices } from '~/components/editor/writer-context';
import { LINK_BUTTON_CLASS } from '~/components/ui/button';
import { ImageCanvas } from '~/components/ui/image-canvas';
import type { Upload } from './image-uploads';

/** Where an image is: stored on this site (width and height are both set or both null), or still uploading. */
export type ImageNodeSource =
  | { kind: 'stored'; src: string; width: number | null; height: number | null }
  | { kind: 'upload'; uploadId: string };

/** The maximum width of a preview: a photo at full size would need too much memory. */
const PREVIEW_WIDTH = 1_280;

interface ImageViewProps {
  nodeKey: NodeKey;
  source: ImageNodeSource;
  alt: string;
}

/** An image as the author sees it: the stored image, or a preview with the progress of its upload. */
export function ImageView({ nodeKey, source, alt }: ImageViewProps) {
  const { uploads, openImage } = useWriterServices();
  const [selected, setSelected, clearSelection] = useLexicalNodeSelection(nodeKey);
  const upload = useSyncExternalStore(uploads.subscribe, () =>
    source.kind === 'upload' ? uploads.find(source.uploadId) : null,
  );
  const stored =
    source.kind === 'stored' ? source : upload?.state.status === 'done' ? upload.state.image : null;
  if (stored === null && upload === null) return null;
  return (
    <span
      data-selected={selected || undefined}
      onClick={(event) => {
        if (event.target instanceof HTMLElement && event.target.closest('button') !== null) return;
        clearSelection();
        setSelected(true);
        openImage(nodeKey);
      }}
      className="relative inline-block max-w-full cursor-pointer data-selected:outline-3 data-selected:outline-offset-2 data-selected:outline-brand"
    >
      {stored === null ? null : (
        <img
          src={stored.src}
          alt={alt}
          width={stored.width ?? undefined}
          height={stored.height ?? undefined}
          draggable={false}
        />
      )}
      {stored === null && upload !== null ? <PendingUpload nodeKey={nodeKey} upload={upload} /> : null}
    </span>
  );
}

function previewSize(bitmap: ImageBitmap): { width: number; height: number } {
  const scale = Math.min(1, PREVIEW_WIDTH / bitmap.width);
  return { width: Math.round(bitmap.width * scale), height: Math.max(1, Math.round(bitmap.height * scale)) };
}

function PendingUpload({ nodeKey, upload }: { nodeKey: NodeKey; upload: Upload }) {
  const { uploads } = useWriterServices();
  const [editor] = useLexicalComposerContext();
  const { id, file, preview, state } = upload;
  const remove = () => editor.update(() => $getNodeByKey(nodeKey)?.remove());
  return (
    <>
      {preview === null ? (
        <span className="flex min-h-24 items-center rounded-control bg-sunken px-4 text-small text-soft">
          {file.name}
        </span>
      ) : (
        <ImageCanvas
          image={preview}
          {...previewSize(preview)}
          label={file.name}
          className="block h-auto max-w-full rounded-control opacity-60"
        />
      )}
      <span className="absolute inset-x-2 bottom-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-line bg-surface px-3 py-2 text-left text-small text-ink">
        {state.status === 'running' ? (
          <>
            <span>Uploading {file.name}</span>
            <progress
              value={state.fraction}
              max={1}
              aria-label={`Uploading ${file.name}`}
              className="h-2 min-w-24 flex-1 accent-brand"
            />
          </>
        ) : null}
        {state.status === 'failed' ? (
          <>
            <span role="alert" className="min-w-40 flex-1 text-live">
              <span className="font-semibold [overflow-wrap:anywhere]">{file.name}: </span>
              <span>{state.problem}</span>
            </span>
            <button type="button" className={LINK_BUTTON_CLASS} onClick={() => uploads.retry(id)}>
              Try again
            </button>
            <button type="button" className={LINK_BUTTON_CLASS} onClick={remove}>
              Remove
            </button>
          </>
        ) : null}
      </span>
    </>
  );
}
