import { useRevalidator } from '@remix-run/react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import type { UploadImage } from '~/components/editor/image-uploads';
import { DRAFT_ID_FIELD } from './article-draft';
import { WORDS_FIRST } from './article-texts';
import { isBlank } from './is-blank';
import { makeDraft } from './make-draft';
import { useTextImages } from './use-text-images';

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

/** Brings pictures into the text of an article that does not exist yet: the first of them makes it, as a draft. */
export function useNewArticleDraft(): NewArticleDraft {
  const { revalidate } = useRevalidator();
  const field = useRef<HTMLInputElement>(null);
  const versionField = useRef<HTMLInputElement>(null);
  const making = useRef<Promise<string> | null>(null);
  const [id, setId] = useState<string | null>(null);
  const sendImage = useTextImages();

  const make = useCallback(async () => {
    const form = field.current?.form;
    const typed = form instanceof HTMLFormElement ? new FormData(form) : new FormData();
    const [title = '', content = '', excerpt = ''] = ['title', 'content', 'excerpt'].map((name) =>
      String(typed.get(name) ?? ''),
    );
    if (title.trim() === '' || isBlank(content)) throw new Error(WORDS_FIRST);
    const made = await makeDraft({ title, content, excerpt });
    setField(versionField.current, made.version);
    setField(field.current, made.id);
    // The list behind has one more.
    revalidate();
    return made.id;
  }, [revalidate]);

  const uploadImage = useCallback<UploadImage>(
    async (file, report, signal) => {
      let articleId = field.current?.value ?? '';
      if (articleId === '') {
        // Several pictures at once make one article.
        making.current ??= make().finally(() => (making.current = null));
        articleId = await making.current;
      }
      signal.throwIfAborted();
      return sendImage(articleId, file, { report, signal });
    },
    [make, sendImage],
  );

  return {
    id,
    // Without values of React's: at every rendering it would put them back. What this browser kept may fill them, too.
    fields: (
      <>
        <input ref={versionField} type="hidden" name="version" />
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
