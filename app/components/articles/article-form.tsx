import { Form, useNavigation } from '@remix-run/react';
import {
  forwardRef,
  useCallback,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import type { Article } from '#shared/news/article';
import { isInvisible } from '#shared/text';
import { ArticleEditor, type ArticleEditorHandle } from '~/components/editor/article-editor';
import { NO_UNSTORED_IMAGES, type UploadImage } from '~/components/editor/images/image-uploads';
import type { FormResult } from '#shared/site/form-result';
import { useFields } from '~/components/forms/use-forms';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { TextArea, TextField } from '~/components/ui/fields';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/ui/use-hydrated';
import { FRAME_HEADING_ID, LeaveDialog } from './article-frame';
import {
  draftKeyOf,
  DRAFT_CARRIES,
  DRAFT_FIELDS,
  DRAFT_MADE,
  isBlank,
  NEWS_OFF,
  previewAddress,
  publicAddress,
  shortened,
  describeFailedUploads,
  VERSION_FIELD,
  type MediaDeletion,
} from './articles';
import type { NewArticleDraft } from './use-new-article-draft';
import { useUnsavedChanges } from './use-unsaved-changes';

/** Length of the excerpt's preview. */
const PREVIEW_LENGTH = 100;

export type EditedArticle = Pick<
  Article,
  'id' | 'title' | 'content' | 'excerpt' | 'published' | 'featured'
> & { version: string };

/** The value of a checkbox in a form. */
const ticked = (on: boolean) => (on ? 'on' : '');

function valuesOf({ title, content, excerpt, published, featured }: EditedArticle) {
  return { title, content, excerpt: excerpt ?? '', published: ticked(published), featured: ticked(featured) };
}

export interface ArticleFormHandle {
  /** Must be called when one of the article's media was deleted on this page. */
  mediaDeleted(deletion: MediaDeletion): void;
}

interface ArticleFormProps {
  /** Null for a new article. */
  article: EditedArticle | null;
  /** The result of the last save. */
  result: FormResult | null;
  /** Files are uploading or queued. */
  busy: boolean;
  /** Whether the site shows articles. */
  newsOn: boolean;
  /** Uploads an image for the text. */
  uploadImage: UploadImage;
  /** The draft that a new article was saved as. */
  draft?: NewArticleDraft;
  /** Shown above the Save button. */
  children?: ReactNode;
}

/** The form of an article. */
export const ArticleForm = forwardRef<ArticleFormHandle, ArticleFormProps>(function ArticleForm(
  { article, result, busy, newsOn, uploadImage, draft, children },
  ref,
) {
  const hydrated = useHydrated();
  const rejection = result?.ok === false ? result : null;
  const navigation = useNavigation();
  const pending = navigation.state === 'idle' ? null : (navigation.formData?.get('intent') ?? null);
  const { form, field } = useFields('article', rejection, article === null ? {} : valuesOf(article));
  const content = useRef<ArticleEditorHandle>(null);
  const [images, setImages] = useState(NO_UNSTORED_IMAGES);
  const uploadsPending = images.running + images.failed.length > 0;
  const unsaved = useUnsavedChanges({ rejected: rejection !== null, busy: busy || uploadsPending });
  const [base, setBase] = useBaseVersion(
    article?.version ?? '',
    unsaved.saves,
    rejection?.values?.[VERSION_FIELD],
  );
  /** The conditions that Save waits for. */
  const [missing, setMissing] = useState<readonly string[]>([]);
  const empty = missing.length > 0;
  const [excerpt, setExcerpt] = useState(field('excerpt').defaultValue ?? '');

  const { form: element, update, settle } = unsaved;
  const readFields = useCallback(() => {
    if (element.current === null) return;
    const typed = new FormData(element.current);
    setMissing([
      ...(isInvisible(String(typed.get('title'))) ? ['a title'] : []),
      ...(isBlank(String(typed.get('content'))) ? ['some text'] : []),
    ]);
    setExcerpt(String(typed.get('excerpt')));
    update();
  }, [element, update]);
  const onSettled = useCallback(() => {
    settle();
    readFields();
  }, [settle, readFields]);
  // The browser may have restored the fields after a reload.
  useEffect(readFields, [readFields]);

  const { follow } = unsaved;
  useImperativeHandle(
    ref,
    () => ({
      mediaDeleted({ folder, versions }) {
        // The server changed the saved text in the same way, so an up-to-date form stays up to date.
        if (versions !== undefined) setBase((now) => (now === versions.before ? versions.after : now));
        // The editor renders synchronously, which React does not allow inside an effect.
        queueMicrotask(() => follow(() => content.current?.removeImage(folder)));
      },
    }),
    [follow, setBase],
  );

  const draftId = draft?.id ?? null;
  const savedId = article?.id ?? draftId;
  return (
    <>
      <h2 id={FRAME_HEADING_ID} className="pr-12 text-title">
        {article === null ? 'Create New Article' : 'Edit Article'}
      </h2>
      <Form
        method="post"
        replace
        preventScrollReset
        {...form}
        ref={element}
        onInput={readFields}
        onSubmit={unsaved.onSend}
        className="mt-5 grid gap-5"
      >
        {draft === undefined ? (
          // A restored local draft sets its own version.
          <input
            type="hidden"
            name={VERSION_FIELD}
            value={base}
            onInput={(event) => setBase(event.currentTarget.value)}
          />
        ) : (
          draft.fields
        )}
        <TextField {...field('title')} label="Title" autoComplete="off" />
        <div className="min-w-0">
          <ArticleEditor
            ref={content}
            {...field('content')}
            label="Content"
            defaultValue={field('content').defaultValue ?? ''}
            draftKey={draftKeyOf(article?.id)}
            draftWith={DRAFT_FIELDS}
            draftCarriedFields={DRAFT_CARRIES}
            uploadImage={uploadImage}
            onEmptyChange={onSettled}
            onUploadsChange={setImages}
          />
          <p aria-live="polite" className="mt-1.5 text-small text-soft">
            {draftId === null ? null : DRAFT_MADE}
          </p>
        </div>
        <div>
          <TextArea
            {...field('excerpt')}
            label="Excerpt"
            rows={3}
            hint="Optional. Shown on cards in place of the opening text."
          />
          <p className="mt-1.5 text-small wrap-anywhere text-soft" data-excerpt-preview>
            {excerpt.trim() === ''
              ? 'Preview: the opening text of the article'
              : `Preview: ${shortened(excerpt, PREVIEW_LENGTH)}`}
          </p>
        </div>
        <fieldset className="grid gap-x-6 sm:grid-cols-2">
          <legend className="sr-only">Visibility</legend>
          <Checkbox
            id={field('published').id}
            name="published"
            label="Published"
            hint="Visible to visitors. Leave unticked to keep it as a draft."
            defaultChecked={field('published').defaultValue === 'on'}
          />
          <Checkbox
            id={field('featured').id}
            name="featured"
            label="Featured"
            hint="Shown ahead of other articles."
            defaultChecked={field('featured').defaultValue === 'on'}
          />
        </fieldset>
        {children}
        <div className="sticky in-[html:has([data-consent])]:static bottom-0 z-10 -mx-4 grid gap-3 rounded-b-card border-t border-line bg-surface px-4 py-3 sm:-mx-7 sm:px-7">
          {rejection !== null && pending === null ? (
            <Notice kind="error" autoFocus={!hydrated}>
              {rejection.message}
            </Notice>
          ) : null}
          {result?.ok === true && !unsaved.changed && pending === null ? (
            <Notice kind="success" autoFocus={!hydrated}>
              {result.message}
            </Notice>
          ) : null}
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button
              variant="primary"
              name="intent"
              value="save"
              disabled={hydrated && (empty || uploadsPending || pending === 'overwrite')}
              pending={pending === 'save'}
            >
              Save
            </Button>
            <Button
              formAction={previewAddress(article?.id ?? null)}
              formTarget="_blank"
              onClick={(event) => {
                event.preventDefault();
                if (element.current !== null) openPreview(element.current, event.currentTarget);
              }}
            >
              Preview<span className="sr-only"> (opens a new tab)</span>
            </Button>
            {rejection?.code === 'article_changed' && savedId !== null ? (
              <>
                <Button
                  name="intent"
                  value="overwrite"
                  disabled={hydrated && (empty || uploadsPending || pending === 'save')}
                  pending={pending === 'overwrite'}
                >
                  Overwrite
                </Button>
                {newsOn ? (
                  <a
                    href={publicAddress(savedId)}
                    target="_blank"
                    rel="noreferrer"
                    className="font-semibold text-brand underline underline-offset-4 hover:no-underline"
                  >
                    See the saved version<span className="sr-only"> (opens a new tab)</span>
                  </a>
                ) : (
                  <p className="text-small text-soft">
                    {NEWS_OFF}, so the saved version can’t be shown here.
                  </p>
                )}
              </>
            ) : null}
            <p
              aria-live="polite"
              className={`text-small ${images.failed.length > 0 ? 'text-live' : 'text-soft'}`}
            >
              {images.failed.length > 0
                ? describeFailedUploads(images.failed)
                : images.running > 0
                  ? 'Uploading images…'
                  : empty
                    ? `${rejection?.code === 'article_changed' ? 'Save and Overwrite wait' : 'Save waits'} for ${missing.join(' and ')}.`
                    : unsaved.changed
                      ? 'Not saved yet'
                      : null}
            </p>
          </div>
        </div>
      </Form>
      {unsaved.leaving === null ? null : (
        <LeaveDialog
          unsaved={unsaved.changed || images.failed.length > 0}
          onStay={unsaved.leaving.stay}
          onLeave={unsaved.leaving.leave}
        />
      )}
    </>
  );
});

/** Sends the form to the preview, in a new tab. Remix would send it itself, and the form would be taken as saved. */
function openPreview(form: HTMLFormElement, button: HTMLButtonElement): void {
  const { action, target } = form;
  form.action = button.formAction;
  form.target = button.formTarget;
  // Without a submit event.
  HTMLFormElement.prototype.submit.call(form);
  form.action = action;
  form.target = target;
}

/**
 * Returns the version the form was loaded from, for optimistic locking, and its setter. It advances on own saves only, which
 * `saves` counts: if it followed the article, a save would silently overwrite another admin's. `sent`: the version that a
 * rejected form was submitted with.
 */
function useBaseVersion(version: string, saves: number, sent: string | undefined) {
  const [seen, setSeen] = useState(saves);
  const [base, setBase] = useState(sent === undefined || sent === '' ? version : sent);
  if (seen !== saves) {
    setSeen(saves);
    setBase(version);
  }
  return [base, setBase] as const;
}
