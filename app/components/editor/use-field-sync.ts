import type { LexicalEditor } from 'lexical';
import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { documentText, isEmptyDocument } from '#shared/news/article-html/article-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { countWords } from '#shared/news/article-text';
import { NO_UNSTORED_IMAGES, type ImageUploads, type UnstoredImages } from './images/image-uploads';
import { normaliseHtml, $readDocument } from './article-nodes';

interface FieldSync {
  /** The hidden field that carries the HTML. */
  field: RefObject<HTMLInputElement>;
  /** The initial HTML. The field contains it unchanged until the user changes something. */
  initialHtml: string;
  uploads: ImageUploads;
  onEmptyChange?: (empty: boolean) => void;
  onUploadsChange?: (images: UnstoredImages) => void;
}

/** Writes the text to the hidden field and calls the callbacks on every change. Returns the number of words. */
export function useFieldSync(editor: LexicalEditor, options: FieldSync): number {
  const [words, setWords] = useState(0);
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const { uploads, initialHtml } = options;
  useLayoutEffect(() => {
    const initialNormal = normaliseHtml(initialHtml);
    let lastEmpty: boolean | null = null;
    let last = NO_UNSTORED_IMAGES;
    const sync = (announce: boolean) => {
      let running = 0;
      const failed: string[] = [];
      const findUploaded = (uploadId: string) => {
        const upload = uploads.find(uploadId);
        if (upload?.state.status === 'running') running += 1;
        if (upload?.state.status === 'failed') failed.push(upload.file.name);
        return uploads.findImage(uploadId);
      };
      const blocks = (announce ? editor.getEditorState() : editor).read(() => $readDocument(findUploaded));
      const empty = isEmptyDocument(blocks);
      const written = empty ? '' : writeDocument(blocks);
      const html = !empty && written === initialNormal ? initialHtml : written;
      setWords(countWords(documentText(blocks)));
      const { field, onEmptyChange, onUploadsChange } = latest.current;
      if (field.current !== null && field.current.value !== html) {
        field.current.value = html;
        // Listeners of the form expect the event of a field.
        if (announce) field.current.dispatchEvent(new Event('input', { bubbles: true }));
      }
      if (empty !== lastEmpty) onEmptyChange?.((lastEmpty = empty));
      if (running !== last.running || failed.join('\0') !== last.failed.join('\0'))
        onUploadsChange?.((last = { running, failed }));
    };
    sync(false);
    const stopUpdates = editor.registerUpdateListener(({ dirtyElements, dirtyLeaves }) => {
      if (dirtyElements.size > 0 || dirtyLeaves.size > 0) sync(true);
    });
    const stopUploads = uploads.subscribe(() => sync(true));
    return () => {
      stopUpdates();
      stopUploads();
    };
  }, [editor, uploads, initialHtml]);
  return words;
}
