import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext';
import { SelectionAlwaysOnDisplay } from '@lexical/react/LexicalSelectionAlwaysOnDisplay';
import { DRAG_DROP_PASTE } from '@lexical/rich-text';
import { COMMAND_PRIORITY_LOW, mergeRegister, type NodeKey, type LexicalEditor } from 'lexical';
import {
  forwardRef,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
} from 'react';
import { DeletedImages, syncUploads } from './images/sync-images';
import { registerKeys } from './editor-keys';
import { ImageForm, LinkForm, ShortcutList } from './drawers';
import { $insertImage, noticeOfAnimations, sortFiles } from './images/insert-image';
import { type UnstoredImages, NO_UNSTORED_IMAGES, type ImageUploads } from './images/image-uploads';
import { $loadArticle, normaliseHtml, $readDocument } from './article-nodes';
import { registerPaste } from './paste';
import { registerPlainCode } from './plain-code';
import { Toolbar, useToolbarState } from './toolbar';
import { WritingArea, WritingFoot, WritingNotice } from './writing-area';
import { useWriterServices } from './writer-context';
import { documentText, isEmptyDocument } from '#shared/news/article-html/article-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { countWords } from '#shared/news/article-text';

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
function useFieldSync(editor: LexicalEditor, options: FieldSync): number {
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

export type OpenDrawer =
  | { kind: 'link' }
  | { kind: 'shortcuts' }
  | { kind: 'image'; nodeKey: NodeKey }
  | null;

export interface WriterHandle {
  /** Replaces the text; undo restores it. */
  load: (html: string) => void;
  /** Removes an image that was deleted from the site. `folder`: the path below which all its variants are served. */
  removeImage: (folder: string) => void;
  focus: () => void;
}

export interface WriterBodyProps {
  id: string;
  labelledBy: string;
  describedBy?: string;
  invalid: boolean;
  initialHtml: string;
  initialFocus: boolean;
  /** The hidden field with the HTML. */
  field: RefObject<HTMLInputElement>;
  /** Shown above the text. */
  bar: ReactNode;
  onEmptyChange?: (empty: boolean) => void;
  onUploadsChange?: (images: UnstoredImages) => void;
  drawer: OpenDrawer;
  setDrawer: (drawer: OpenDrawer) => void;
}

/** The editor's layout, with its keys, its toolbar, and pasted and dropped files. */
export const WriterBody = forwardRef<WriterHandle, WriterBodyProps>(function WriterBody(
  {
    id,
    labelledBy,
    describedBy,
    invalid,
    initialHtml,
    initialFocus,
    field,
    bar,
    onEmptyChange,
    onUploadsChange,
    drawer,
    setDrawer,
  },
  ref,
) {
  const [editor] = useLexicalComposerContext();
  const hintId = useId();
  const filePicker = useRef<HTMLInputElement>(null);
  const [notice, setNotice] = useState<string | null>(null);
  const [leaving, setLeaving] = useState(false);
  const toolbar = useToolbarState(editor);
  const { uploads, openImage } = useWriterServices();
  const deletedImages = useMemo(() => new DeletedImages(editor, uploads), [editor, uploads]);
  const words = useFieldSync(editor, { field, initialHtml, uploads, onEmptyChange, onUploadsChange });

  const addFiles = useCallback(
    async (files: File[]) => {
      const { images, refusal } = sortFiles(files);
      setNotice(refusal);
      if (images.length === 0) return;
      void noticeOfAnimations(images).then((lost) => {
        if (lost !== null) setNotice([refusal, lost].filter((text) => text !== null).join(' '));
      });
      const ids = await Promise.all(images.map((file) => uploads.add(file)));
      editor.update(() => {
        for (const uploadId of ids) $insertImage(uploadId);
      });
    },
    [editor, uploads],
  );

  const closeDrawer = useCallback(() => {
    setDrawer(null);
    editor.focus();
  }, [editor, setDrawer]);

  useEffect(
    () =>
      mergeRegister(
        registerKeys(editor, {
          onLink: () => setDrawer({ kind: 'link' }),
          onImage: openImage,
          onToolbar: () =>
            document
              .querySelector<HTMLElement>(`[aria-controls="${CSS.escape(id)}"] [tabindex="0"]`)
              ?.focus(),
          onLeaving: setLeaving,
        }),
        registerPlainCode(editor),
        registerPaste(editor, { onNotice: setNotice, onFiles: (files) => void addFiles(files) }),
        editor.registerCommand(
          DRAG_DROP_PASTE,
          (files) => {
            void addFiles(files);
            return true;
          },
          COMMAND_PRIORITY_LOW,
        ),
      ),
    [editor, id, openImage, setDrawer, addFiles],
  );

  useEffect(
    () => mergeRegister(syncUploads(editor, uploads), deletedImages.watch()),
    [editor, uploads, deletedImages],
  );
  useEffect(() => () => uploads.abandonAll(), [uploads]);

  useEffect(() => {
    if (initialFocus) editor.focus();
  }, [editor, initialFocus]);

  useImperativeHandle(ref, () => ({
    load: (html) => editor.update(() => $loadArticle(html)),
    removeImage: (folder) => deletedImages.remove(folder),
    focus: () => editor.focus(),
  }));

  const shortcutsOpen = drawer?.kind === 'shortcuts';
  return (
    <>
      <Toolbar
        editor={editor}
        state={toolbar}
        contentId={id}
        disabled={false}
        linkOpen={drawer?.kind === 'link'}
        onLink={() => setDrawer(drawer?.kind === 'link' ? null : { kind: 'link' })}
        onImage={() => filePicker.current?.click()}
      />
      <input
        ref={filePicker}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Images for the text"
        onChange={(event) => {
          void addFiles([...(event.currentTarget.files ?? [])]);
          event.currentTarget.value = '';
        }}
      />
      {bar}
      {drawer?.kind === 'link' ? <LinkForm editor={editor} onClose={closeDrawer} /> : null}
      {drawer?.kind === 'image' ? (
        <ImageForm key={drawer.nodeKey} editor={editor} nodeKey={drawer.nodeKey} onClose={closeDrawer} />
      ) : null}
      {shortcutsOpen ? <ShortcutList onClose={closeDrawer} /> : null}
      <WritingNotice text={notice} onClose={() => setNotice(null)} />
      <WritingArea
        id={id}
        labelledBy={labelledBy}
        describedBy={describedBy === undefined ? hintId : `${describedBy} ${hintId}`}
        invalid={invalid}
      />
      <WritingFoot
        hintId={hintId}
        words={words}
        leaving={leaving}
        shortcutsOpen={shortcutsOpen}
        onShortcuts={() => setDrawer(shortcutsOpen ? null : { kind: 'shortcuts' })}
      />
      {drawer?.kind === 'link' ? <SelectionAlwaysOnDisplay /> : null}
    </>
  );
});
