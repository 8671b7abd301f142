import { forwardRef } from 'react';
import { ArticleEditor, type ArticleEditorHandle } from '~/components/editor/article-editor';
import type { UnstoredImages, UploadImage } from '~/components/editor/images/image-uploads';
import { WarningIcon } from '~/components/ui/icons';
import { DRAFT_CARRIES, DRAFT_FIELDS } from './articles';

interface ContentFieldProps {
  id: string;
  name: string;
  defaultValue: string;
  errors: readonly string[] | undefined;
  draftKey: string;
  uploadImage: UploadImage;
  /** Called when the editor is ready and when it becomes empty or non-empty. */
  onSettled: () => void;
  /** Called with the number of images that are uploading or failed. */
  onUploadsChange: (images: UnstoredImages) => void;
}

/** The article editor with its errors. */
export const ContentField = forwardRef<ArticleEditorHandle, ContentFieldProps>(function ContentField(
  { id, name, defaultValue, errors = [], draftKey, uploadImage, onSettled, onUploadsChange },
  ref,
) {
  const errorId = `${id}-error`;
  const invalid = errors.length > 0;
  return (
    <div className="min-w-0">
      <ArticleEditor
        ref={ref}
        id={id}
        name={name}
        label="Content"
        defaultValue={defaultValue}
        describedBy={invalid ? errorId : undefined}
        invalid={invalid}
        draftKey={draftKey}
        draftWith={DRAFT_FIELDS}
        draftCarriedFields={DRAFT_CARRIES}
        uploadImage={uploadImage}
        onEmptyChange={onSettled}
        onUploadsChange={onUploadsChange}
      />
      {invalid ? (
        <p id={errorId} className="mt-1.5 flex items-start gap-1.5 text-small text-live">
          <WarningIcon />
          <span className="pt-px">{errors.join(' ')}</span>
        </p>
      ) : null}
    </div>
  );
});
