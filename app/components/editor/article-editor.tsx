import {
  forwardRef,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ForwardRefExoticComponent,
  type RefAttributes,
} from 'react';
import { reloadOnce } from '~/components/lazy/reload-once';
import { FieldErrors } from '~/components/ui/fields';
import { DraftBar } from './drafts/draft-bar';
import type { UnstoredImages, UploadImage } from './images/image-uploads';
import { useLocalDraft } from './drafts/use-local-draft';
import type { WriterHandle, WriterProps } from './writer.client';

export interface ArticleEditorProps {
  id: string;
  /** The name of the form field that carries the HTML. */
  name: string;
  label: string;
  /** The initial HTML. To edit another article, change the editor's `key`. */
  defaultValue: string;
  errors: readonly string[] | undefined;
  /** Identifies what is edited, for the draft in this browser; `clearDraft` removes the draft. */
  draftKey: string;
  /** Names of other text fields of the form that belong to the draft. */
  draftWith: readonly string[];
  /** Names of fields that are stored with the draft, but whose changes alone create none. */
  draftCarriedFields: readonly string[];
  uploadImage: UploadImage;
  /** Called at first and at every change with whether the text is empty. */
  onEmptyChange: (empty: boolean) => void;
  /** Called with the number of images that the HTML does not contain yet. */
  onUploadsChange: (images: UnstoredImages) => void;
}

export interface ArticleEditorHandle {
  /** Removes an image that was deleted from the site. `folder`: the path below which all its variants are served. */
  removeImage: (folder: string) => void;
}

interface WriterModule {
  Writer: ForwardRefExoticComponent<WriterProps & RefAttributes<WriterHandle>>;
  normaliseHtml: (html: string) => string;
}

/** Whether a field of the page has the focus or changed content. */
function isTypedIn(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea');
  return [...fields].some(
    (field) =>
      field === document.activeElement ||
      field.value !== field.defaultValue ||
      ('checked' in field && field.checked !== field.defaultChecked),
  );
}

/**
 * The field for an article's text: a textarea for HTML, which the editor replaces after hydration. The frame keeps its
 * height, so that nothing moves; if the editor cannot be loaded, the textarea stays.
 */
export const ArticleEditor = forwardRef<ArticleEditorHandle, ArticleEditorProps>(function ArticleEditor(
  {
    id,
    name,
    label,
    defaultValue,
    errors = [],
    draftKey,
    draftWith,
    draftCarriedFields,
    uploadImage,
    onEmptyChange,
    onUploadsChange,
  },
  ref,
) {
  const labelId = useId();
  const hintId = useId();
  const errorId = `${id}-error`;
  const invalid = errors.length > 0;
  const describedBy = invalid ? errorId : undefined;
  const textarea = useRef<HTMLTextAreaElement>(null);
  const hidden = useRef<HTMLInputElement>(null);
  const writer = useRef<WriterHandle>(null);
  const [loaded, setLoaded] = useState<(WriterModule & { html: string; focused: boolean }) | 'failed' | null>(
    null,
  );
  const module = loaded === 'failed' ? null : loaded;

  useEffect(() => {
    let unmounted = false;
    import('./writer.client').then(
      (found) => {
        if (unmounted) return;
        const field = textarea.current;
        // Keeps what the user typed before the editor was loaded.
        setLoaded({ ...found, html: field?.value ?? '', focused: document.activeElement === field });
      },
      () => {
        if (unmounted) return;
        // A reload would lose what the user has typed.
        if (isTypedIn() || !reloadOnce('editor')) setLoaded('failed');
      },
    );
    return () => {
      unmounted = true;
    };
  }, []);

  const fields = [name, ...draftWith];
  const draft = useLocalDraft({
    draftKey,
    form: () => hidden.current?.form ?? textarea.current?.form ?? null,
    fields,
    carriedFields: draftCarriedFields,
    ready: loaded !== null,
    initial: { [name]: defaultValue },
    normalise: (field, value) => (field === name && module !== null ? module.normaliseHtml(value) : value),
    fill: (field, value) => {
      if (field !== name || writer.current === null) return false;
      writer.current.load(value);
      return true;
    },
  });

  // The textarea shows the image's HTML; saving removes it.
  useImperativeHandle(ref, () => ({ removeImage: (folder) => writer.current?.removeImage(folder) }), []);

  const writing = module !== null;
  useLayoutEffect(() => {
    if (!writing) onEmptyChange((textarea.current?.value ?? '').trim() === '');
  }, [writing, onEmptyChange]);

  const draftBar = <DraftBar {...draft} />;
  return (
    <div className="min-w-0">
      <label
        id={labelId}
        htmlFor={id}
        className="mb-1.5 block font-semibold"
        onClick={() => writer.current?.focus()}
      >
        {label}
      </label>
      <div
        data-invalid={invalid || undefined}
        className="relative flex h-[min(40rem,80dvh)] min-h-80 resize-y flex-col overflow-hidden rounded-control border border-soft bg-page has-[textarea:focus-visible,[contenteditable]:focus-visible]:outline-3 has-[textarea:focus-visible,[contenteditable]:focus-visible]:outline-offset-3 has-[textarea:focus-visible,[contenteditable]:focus-visible]:outline-brand data-invalid:border-live"
      >
        {module === null ? (
          <>
            <p id={hintId} className="border-b border-line bg-surface px-3.5 py-2.5 text-small text-soft">
              You can use HTML: p, h1 to h3, strong, em, u, s, ul, ol, li, blockquote, pre, code, a, img, br.
              Anything else is removed on saving.
              {loaded === 'failed' ? (
                <span>
                  {' The editor could not be loaded; this field works without it. '}
                  <button
                    type="button"
                    className="font-semibold underline"
                    onClick={() => window.location.reload()}
                  >
                    Try again
                  </button>
                </span>
              ) : null}
            </p>
            {loaded === 'failed' ? draftBar : null}
            <textarea
              ref={textarea}
              id={id}
              name={name}
              defaultValue={defaultValue}
              aria-invalid={invalid || undefined}
              aria-describedby={[describedBy, hintId].filter((value) => value !== undefined).join(' ')}
              onChange={(event) => onEmptyChange(event.currentTarget.value.trim() === '')}
              className="block w-full flex-1 resize-none bg-page px-4 py-3.5 text-ink outline-none"
            />
          </>
        ) : (
          <>
            {/* Uncontrolled: React would reset its value on every render. */}
            <input ref={hidden} type="hidden" name={name} />
            <module.Writer
              ref={writer}
              id={id}
              labelledBy={labelId}
              describedBy={describedBy}
              invalid={invalid}
              initialHtml={module.html}
              initialFocus={module.focused}
              field={hidden}
              bar={draftBar}
              uploadImage={uploadImage}
              onEmptyChange={onEmptyChange}
              onUploadsChange={onUploadsChange}
            />
          </>
        )}
      </div>
      <FieldErrors id={errorId} errors={errors} />
    </div>
  );
});
