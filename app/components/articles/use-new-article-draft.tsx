import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { UploadImage } from '~/components/editor/images/image-uploads';
import { isInvisible } from '#shared/text';
import { reloadData } from '~/components/forms/reload-data';
import type { FormResult } from '#shared/site/form-result';
import { DRAFT_GONE, DRAFT_ID_FIELD, isBlank, TEXT_FIRST, VERSION_FIELD } from './articles';
import { ArticleGone, createDraft, sendTextImage } from './media-api';

export interface NewArticleDraft {
  /** The id of the article's draft; null until it is created. */
  id: string | null;
  /** Hidden fields with the draft's id and version, so that the next save updates it. */
  fields: ReactNode;
  uploadImage: UploadImage;
}

function setField(field: HTMLInputElement | null, value: string): void {
  if (field === null) return;
  field.value = value;
  // The form listens for this event.
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Uploads images for the text of a new article. The first upload saves the article as a draft. `result`: the result of the
 * last save; if it reports that the draft was deleted, the next save creates a new article.
 */
export function useNewArticleDraft(result: FormResult | null): NewArticleDraft {
  const field = useRef<HTMLInputElement>(null);
  const versionField = useRef<HTMLInputElement>(null);
  const creating = useRef<Promise<string> | null>(null);
  const [id, setId] = useState<string | null>(null);

  const create = useCallback(async () => {
    const form = field.current?.form;
    const typed = form instanceof HTMLFormElement ? new FormData(form) : new FormData();
    const [title = '', content = '', excerpt = ''] = ['title', 'content', 'excerpt'].map((name) =>
      String(typed.get(name) ?? ''),
    );
    if (isInvisible(title) || isBlank(content)) throw new Error(TEXT_FIRST);
    const created = await createDraft({ title, content, excerpt });
    setField(versionField.current, created.version);
    setField(field.current, created.id);
    // The list on the page below contains the draft now.
    reloadData();
    return created.id;
  }, []);

  const forget = useCallback(() => {
    setField(versionField.current, '');
    setField(field.current, '');
  }, []);
  useEffect(() => {
    if (result?.code === 'article_not_found') forget();
  }, [result, forget]);

  const uploadImage = useCallback<UploadImage>(
    async (file, report, signal) => {
      let articleId = field.current?.value ?? '';
      if (articleId === '') {
        // Several simultaneous uploads create only one draft.
        creating.current ??= create().finally(() => (creating.current = null));
        articleId = await creating.current;
      }
      signal.throwIfAborted();
      return sendTextImage(articleId, file, { report, signal }).catch((error: unknown) => {
        if (!(error instanceof ArticleGone)) throw error;
        if (field.current?.value === articleId) forget();
        throw new Error(DRAFT_GONE);
      });
    },
    [create, forget],
  );

  return {
    id,
    // Uncontrolled: React would reset their values on every render. Restoring a local draft fills them as well.
    fields: (
      <>
        <input ref={versionField} type="hidden" name={VERSION_FIELD} />
        <input
          ref={field}
          type="hidden"
          name={DRAFT_ID_FIELD}
          onInput={(event) => setId(event.currentTarget.value || null)}
        />
      </>
    ),
    uploadImage,
  };
}
