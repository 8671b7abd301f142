import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react';
import type { UploadImage } from '~/components/editor/image-uploads';
import { isInvisible } from '#shared/text';
import type { FormResult } from '~/components/forms/result';
import { DRAFT_GONE, DRAFT_ID_FIELD, isBlank, TEXT_FIRST, VERSION_FIELD } from './articles';
import { ArticleGone, makeDraft, sendTextImage } from './media-api';
import { reloadData } from './reload-data';

export interface NewArticleDraft {
  /** The draft that the new article became; null: none yet. */
  id: string | null;
  /** The form's hidden fields that carry it and the version it was made with, so that saving goes on from there. */
  fields: ReactNode;
  uploadImage: UploadImage;
}

function setField(field: HTMLInputElement | null, value: string): void {
  if (field === null) return;
  field.value = value;
  // The form hears of it as of any other field.
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

/**
 * Brings images into the text of an article that does not exist yet: the first of them makes it, as a draft. `result`: of
 * the last save; when it says that the draft is gone, the next save makes a new article.
 */
export function useNewArticleDraft(result: FormResult | null): NewArticleDraft {
  const field = useRef<HTMLInputElement>(null);
  const versionField = useRef<HTMLInputElement>(null);
  const making = useRef<Promise<string> | null>(null);
  const [id, setId] = useState<string | null>(null);

  const make = useCallback(async () => {
    const form = field.current?.form;
    const typed = form instanceof HTMLFormElement ? new FormData(form) : new FormData();
    const [title = '', content = '', excerpt = ''] = ['title', 'content', 'excerpt'].map((name) =>
      String(typed.get(name) ?? ''),
    );
    if (isInvisible(title) || isBlank(content)) throw new Error(TEXT_FIRST);
    const made = await makeDraft({ title, content, excerpt });
    setField(versionField.current, made.version);
    setField(field.current, made.id);
    // The list behind has one more.
    reloadData();
    return made.id;
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
        // Several images at once make one article.
        making.current ??= make().finally(() => (making.current = null));
        articleId = await making.current;
      }
      signal.throwIfAborted();
      return sendTextImage(articleId, file, { report, signal }).catch((error: unknown) => {
        if (!(error instanceof ArticleGone)) throw error;
        if (field.current?.value === articleId) forget();
        throw new Error(DRAFT_GONE);
      });
    },
    [make, forget],
  );

  return {
    id,
    // Without values of React's: at every rendering it would put them back. What this browser kept may fill them, too.
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
