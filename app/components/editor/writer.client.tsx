import { CodeExtension } from '@lexical/code';
import { HistoryExtension } from '@lexical/history';
import { LinkExtension } from '@lexical/link';
import { ListExtension } from '@lexical/list';
import { ContentEditable } from '@lexical/react/LexicalContentEditable';
import { LexicalExtensionComposer } from '@lexical/react/LexicalExtensionComposer';
import { useLexicalComposerContext } from '@lexical/react/LexicalComposerContext';
import { SelectionAlwaysOnDisplay } from '@lexical/react/LexicalSelectionAlwaysOnDisplay';
import { DRAG_DROP_PASTE, RichTextExtension } from '@lexical/rich-text';
import { $insertNodeToNearestRoot } from '@lexical/utils';
import {
  $createParagraphNode,
  $getNodeByKey,
  $getRoot,
  $isElementNode,
  $isParagraphNode,
  CAN_REDO_COMMAND,
  CAN_UNDO_COMMAND,
  COMMAND_PRIORITY_LOW,
  defineExtension,
  HISTORY_MERGE_TAG,
  mergeRegister,
  type EditorThemeClasses,
  type LexicalEditor,
  type NodeKey,
} from 'lexical';
import {
  forwardRef,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react';
import { documentText, isEmptyDocument } from '#shared/news/article-html/article-document';
import { parseMarkup } from '#shared/news/article-html/markup';
import { readDocument } from '#shared/news/article-html/read-document';
import { writeDocument } from '#shared/news/article-html/write-document';
import { countWords, readMinutes } from '#shared/news/article-text';
import { LINK_BUTTON_CLASS } from '~/components/ui/button-look';
import { $nodesOfDocument } from './document-to-nodes';
import { $ensureSelection, $readCaret, CARET_AT_REST } from './editor-actions';
import { registerKeys } from './editor-keys';
import './editor.css';
import { ImageForm } from './image-form';
import { $createImageNode, $isImageNode, ImageNode } from './image-node';
import { ImageUploads, type UploadImage } from './image-uploads';
import { LinkForm } from './link-form';
import { $readDocument } from './nodes-to-document';
import { registerPaste } from './paste';
import { registerPlainCode } from './plain-code';
import { ShortcutList } from './shortcut-list';
import { Toolbar, type ToolbarState } from './toolbar';
import { useWriterServices, WriterContext, type WriterServices } from './writer-context';

export interface WriterProps {
  id: string;
  labelledBy: string;
  describedBy?: string;
  invalid: boolean;
  disabled: boolean;
  /** Read once. */
  initialHtml: string;
  initialFocus: boolean;
  /** The hidden field that carries the HTML. */
  field: RefObject<HTMLInputElement>;
  /** Stands above the text. */
  bar: ReactNode;
  uploadImage?: UploadImage;
  /** Why no pictures can be put in, where there is no `uploadImage`. */
  noImages: string;
  onReady?: () => void;
  onEmptyChange?: (empty: boolean) => void;
  onUploadsChange?: (pending: number) => void;
}

export interface WriterHandle {
  /** Replaces the text; undoing brings it back. */
  load: (html: string) => void;
  focus: () => void;
}

type OpenDrawer = { kind: 'link' } | { kind: 'shortcuts' } | { kind: 'image'; nodeKey: NodeKey } | null;

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

const FILMS_BELOW = 'Add films below the text.';

function $load(html: string): void {
  const { blocks } = readDocument(parseMarkup(html), { from: 'ours', siteOrigin: location.origin });
  const root = $getRoot().clear();
  root.append(...(blocks.length === 0 ? [$createParagraphNode()] : $nodesOfDocument(blocks)));
}

/** HTML as the editor would write it if it were loaded and left alone. */
export function normalHtml(html: string): string {
  const { blocks } = readDocument(parseMarkup(html), { from: 'ours', siteOrigin: location.origin });
  return isEmptyDocument(blocks) ? '' : writeDocument(blocks);
}

/** The editor itself, loaded when a page with it is live. Everything of Lexical hangs on this module. */
export const Writer = forwardRef<WriterHandle, WriterProps>(function Writer(props, ref) {
  const { initialHtml, uploadImage } = props;
  const [drawer, setDrawer] = useState<OpenDrawer>(null);
  const [imageUploads] = useState(() => new ImageUploads());
  useEffect(() => imageUploads.sendWith(uploadImage), [imageUploads, uploadImage]);
  const uploads = uploadImage === undefined ? null : imageUploads;
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
      $initialEditorState: () => $load(initialHtml),
      onError: (error) => {
        throw error;
      },
    }),
  );
  return (
    // Around the composer, which draws the pictures beside its children.
    <WriterContext.Provider value={services}>
      <LexicalExtensionComposer extension={extension} contentEditable={null}>
        <WriterBody ref={ref} {...props} drawer={drawer} setDrawer={setDrawer} />
      </LexicalExtensionComposer>
    </WriterContext.Provider>
  );
});

interface WriterBodyProps extends WriterProps {
  drawer: OpenDrawer;
  setDrawer: (drawer: OpenDrawer) => void;
}

const WriterBody = forwardRef<WriterHandle, WriterBodyProps>(function WriterBody(
  {
    id,
    labelledBy,
    describedBy,
    invalid,
    disabled,
    initialFocus,
    field,
    bar,
    noImages,
    onReady,
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
  useEffect(() => () => uploads?.abandonAll(), [uploads]);

  const words = useFieldSync(editor, { field, uploads, onEmptyChange, onUploadsChange });

  const addFiles = useCallback(
    async (files: File[]) => {
      const images = files.filter(({ type }) => type.startsWith('image/') && type !== 'image/svg+xml');
      setNotice(uploads === null ? noImages : refusalOf(files, images));
      if (uploads === null || images.length === 0) return;
      const ids = await Promise.all(images.map((file) => uploads.add(file)));
      editor.update(() => {
        for (const uploadId of ids) $insertImage(uploadId);
      });
    },
    [editor, uploads, noImages],
  );

  const closeDrawer = useCallback(() => {
    setDrawer(null);
    editor.focus();
  }, [editor, setDrawer]);

  useEffect(() => {
    editor.setEditable(!disabled);
  }, [editor, disabled]);

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

  useEffect(() => (uploads === null ? undefined : followUploads(editor, uploads)), [editor, uploads]);

  useEffect(() => {
    if (initialFocus) editor.focus();
  }, [editor, initialFocus]);

  const latestReady = useRef(onReady);
  useEffect(() => latestReady.current?.(), []);

  useImperativeHandle(ref, () => ({
    load: (html) => editor.update(() => $load(html)),
    focus: () => editor.focus(),
  }));

  return (
    <>
      <Toolbar
        editor={editor}
        state={toolbar}
        contentId={id}
        disabled={disabled}
        linkOpen={drawer?.kind === 'link'}
        onLink={() => setDrawer(drawer?.kind === 'link' ? null : { kind: 'link' })}
        onImage={uploads === null ? null : () => filePicker.current?.click()}
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
      {drawer?.kind === 'shortcuts' ? <ShortcutList onClose={closeDrawer} /> : null}
      <div role="status">
        {notice === null ? null : (
          <p className="flex items-center justify-between gap-3 border-b border-line bg-unknown-wash px-3 py-1.5 text-small">
            <span>{notice}</span>
            <button type="button" className={LINK_BUTTON_CLASS} onClick={() => setNotice(null)}>
              Got it
            </button>
          </p>
        )}
      </div>
      <div className="relative min-h-0 flex-1 overflow-y-auto">
        <ContentEditable
          id={id}
          role="textbox"
          aria-multiline
          aria-labelledby={labelledBy}
          aria-describedby={[describedBy, hintId].filter((value) => value !== undefined).join(' ')}
          aria-invalid={invalid || undefined}
          aria-disabled={disabled || undefined}
          aria-placeholder="Write the story here."
          placeholder={
            <p className="pointer-events-none absolute top-4 left-4 text-soft sm:left-5">
              Write the story here.
            </p>
          }
          className="article-body editor-text min-h-full px-4 py-4 outline-none sm:px-5"
        />
      </div>
      <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-4 border-t border-line bg-surface px-3 py-0.5 text-small text-soft">
        <span className="flex items-center gap-3">
          <button
            type="button"
            className={LINK_BUTTON_CLASS}
            aria-expanded={drawer?.kind === 'shortcuts'}
            onClick={() => setDrawer(drawer?.kind === 'shortcuts' ? null : { kind: 'shortcuts' })}
          >
            Shortcuts
          </button>
          <span id={hintId} className="sr-only sm:not-sr-only">
            Press Esc, then Tab, to leave the editor.
          </span>
          <span role="status" className="sr-only">
            {leaving ? 'Press Tab to leave the editor.' : ''}
          </span>
        </span>
        <span>
          {words === 1 ? '1 word' : `${words} words`} · {readMinutes(words)} min read
        </span>
      </div>
      {drawer?.kind === 'link' ? <SelectionAlwaysOnDisplay /> : null}
    </>
  );
});

function refusalOf(files: readonly File[], images: readonly File[]): string | null {
  const refused = files.filter((file) => !images.includes(file));
  if (refused.length === 0) return null;
  if (refused.every(({ type }) => type.startsWith('video/'))) return FILMS_BELOW;
  const [first] = refused.filter(({ type }) => !type.startsWith('video/'));
  const sentence = `${first?.name ?? 'The file'} is not an image that can be added to the text.`;
  return refused.some(({ type }) => type.startsWith('video/')) ? `${sentence} ${FILMS_BELOW}` : sentence;
}

/** A paragraph of its own at the caret, and one to go on writing in. */
function $insertImage(uploadId: string): void {
  $ensureSelection();
  const paragraph = $createParagraphNode().append($createImageNode({ kind: 'upload', uploadId }, ''));
  $insertNodeToNearestRoot(paragraph);
  const before = paragraph.getPreviousSibling();
  if ($isParagraphNode(before) && before.isEmpty()) before.remove();
  const after = paragraph.getNextSibling();
  if (after === null) paragraph.insertAfter($createParagraphNode());
  // What is left of a block that was split at its end.
  else if ($isElementNode(after) && after.isEmpty()) after.replace($createParagraphNode());
  paragraph.getNextSibling()?.selectStart();
}

/** Ties what is in the text to what is on its way: pictures that left the text stop, those that nobody knows go. */
function followUploads(editor: LexicalEditor, uploads: ImageUploads): () => void {
  const uploadIds = new Map<NodeKey, string>();
  const stopListening = uploads.subscribe(() => {
    editor.update(
      () => {
        for (const [nodeKey, uploadId] of uploadIds) {
          const node = $getNodeByKey(nodeKey);
          const alt = uploads.findImage(uploadId)?.alt ?? '';
          if ($isImageNode(node) && node.getAlt() === '' && alt !== '') node.setAlt(alt);
        }
      },
      { tag: HISTORY_MERGE_TAG },
    );
  });
  return mergeRegister(
    stopListening,
    editor.registerNodeTransform(ImageNode, (node) => {
      const source = node.getSource();
      const known = source.kind === 'stored' ? source.src !== '' : uploads.find(source.uploadId) !== null;
      if (!known) node.remove();
    }),
    editor.registerMutationListener(ImageNode, (mutations, { prevEditorState }) => {
      for (const [nodeKey, mutation] of mutations) {
        const node = (mutation === 'destroyed' ? prevEditorState : editor.getEditorState())._nodeMap.get(
          nodeKey,
        );
        if (!$isImageNode(node) || node.__source.kind !== 'upload') continue;
        if (mutation === 'destroyed') {
          uploadIds.delete(nodeKey);
          if (![...uploadIds.values()].includes(node.__source.uploadId))
            uploads.abandon(node.__source.uploadId);
        } else uploadIds.set(nodeKey, node.__source.uploadId);
      }
    }),
  );
}

function useToolbarState(editor: LexicalEditor): ToolbarState {
  const [caret, setCaret] = useState(CARET_AT_REST);
  const [history, setHistory] = useState({ canUndo: false, canRedo: false });
  useEffect(
    () =>
      mergeRegister(
        editor.registerUpdateListener(({ editorState }) => {
          const next = editorState.read($readCaret);
          setCaret((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
        }),
        editor.registerCommand(
          CAN_UNDO_COMMAND,
          (canUndo) => {
            setHistory((before) => ({ ...before, canUndo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
        editor.registerCommand(
          CAN_REDO_COMMAND,
          (canRedo) => {
            setHistory((before) => ({ ...before, canRedo }));
            return false;
          },
          COMMAND_PRIORITY_LOW,
        ),
      ),
    [editor],
  );
  return { ...caret, ...history };
}

/** Keeps the hidden field, and everybody who asked, in step with the text. Returns the number of words. */
function useFieldSync(
  editor: LexicalEditor,
  told: Pick<WriterProps, 'field' | 'onEmptyChange' | 'onUploadsChange'> & { uploads: ImageUploads | null },
): number {
  const [words, setWords] = useState(0);
  const latest = useRef(told);
  useLayoutEffect(() => {
    latest.current = told;
  });
  const { uploads } = told;
  useLayoutEffect(() => {
    let lastEmpty: boolean | null = null;
    let lastPending = 0;
    const sync = (announce: boolean) => {
      let pending = 0;
      const findUploaded = (uploadId: string) => {
        if (uploads?.find(uploadId)?.state.status === 'running') pending += 1;
        return uploads?.findImage(uploadId) ?? null;
      };
      const blocks = (announce ? editor.getEditorState() : editor).read(() => $readDocument(findUploaded));
      const empty = isEmptyDocument(blocks);
      const html = empty ? '' : writeDocument(blocks);
      setWords(countWords(documentText(blocks)));
      const { field, onEmptyChange, onUploadsChange } = latest.current;
      if (field.current !== null && field.current.value !== html) {
        field.current.value = html;
        // The form hears of it as of any other field.
        if (announce) field.current.dispatchEvent(new Event('input', { bubbles: true }));
      }
      if (empty !== lastEmpty) onEmptyChange?.((lastEmpty = empty));
      if (pending !== lastPending) onUploadsChange?.((lastPending = pending));
    };
    sync(false);
    const stopUpdates = editor.registerUpdateListener(({ dirtyElements, dirtyLeaves }) => {
      if (dirtyElements.size > 0 || dirtyLeaves.size > 0) sync(true);
    });
    const stopUploads = uploads?.subscribe(() => sync(true));
    return () => {
      stopUpdates();
      stopUploads?.();
    };
  }, [editor, uploads]);
  return words;
}
