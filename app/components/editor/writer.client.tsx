import { CodeExtension } from '@lexical/code';
import { HistoryExtension } from '@lexical/history';
import { LinkExtension } from '@lexical/link';
import { ListExtension } from '@lexical/list';
import { LexicalExtensionComposer } from '@lexical/react/LexicalExtensionComposer';
import { RichTextExtension } from '@lexical/rich-text';
import { defineExtension, type EditorThemeClasses } from 'lexical';
import { forwardRef, useEffect, useMemo, useRef, useState } from 'react';
import './editor.css';
import { ImageNode } from './images/image-node';
import { ImageUploads, type UploadImage } from './images/image-uploads';
import { $loadArticle } from './article-nodes';
import { WriterBody, type OpenDrawer, type WriterBodyProps, type WriterHandle } from './writer-body';
import { WriterContext, type WriterServices } from './writer-context';

export { normaliseHtml } from './article-nodes';
export type { WriterHandle };

export interface WriterProps extends Omit<WriterBodyProps, 'drawer' | 'setDrawer'> {
  uploadImage: UploadImage;
}

const THEME: EditorThemeClasses = {
  code: 'editor-code',
  image: 'editor-image',
  list: { nested: { listitem: 'editor-nested' } },
  text: {
    underline: 'editor-underline',
    strikethrough: 'editor-strike',
    underlineStrikethrough: 'editor-underline-strike',
    code: 'editor-inline-code',
  },
};

/** The editor, loaded after hydration. Only this module and its imports use Lexical. */
export const Writer = forwardRef<WriterHandle, WriterProps>(function Writer({ uploadImage, ...props }, ref) {
  const { initialHtml } = props;
  const [drawer, setDrawer] = useState<OpenDrawer>(null);
  const latestUpload = useRef(uploadImage);
  useEffect(() => {
    latestUpload.current = uploadImage;
  }, [uploadImage]);
  // oxlint-disable-next-line react/refs -- read when an upload starts, not while rendering
  const [uploads] = useState(() => new ImageUploads((...given) => latestUpload.current(...given)));
  const services = useMemo<WriterServices>(
    () => ({ uploads, openImage: (nodeKey) => setDrawer({ kind: 'image', nodeKey }) }),
    [uploads],
  );
  const [extension] = useState(() =>
    defineExtension({
      name: 'packwatch/article',
      namespace: 'packwatch-article',
      dependencies: [RichTextExtension, HistoryExtension, ListExtension, LinkExtension, CodeExtension],
      nodes: [ImageNode],
      theme: THEME,
      $initialEditorState: () => $loadArticle(initialHtml),
      onError: (error) => {
        throw error;
      },
    }),
  );
  return (
    // Around the composer, because it renders the images outside its children.
    <WriterContext.Provider value={services}>
      <LexicalExtensionComposer extension={extension} contentEditable={null}>
        <WriterBody ref={ref} {...props} drawer={drawer} setDrawer={setDrawer} />
      </LexicalExtensionComposer>
    </WriterContext.Provider>
  );
});
