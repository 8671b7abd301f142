import { forwardRef } from 'react';
import { ArticleEditor, type ArticleEditorHandle } from '~/components/editor/article-editor';
import type { UploadCounts, UploadImage } from '~/components/editor/images/image-uploads';
import { WarningIcon } from '~/components/ui/icons';
import { DRAFT_CARRIES, DRAFT_FIELDS } from './articles';

interface ContentFieldProps {
  id: string;
  name: string;
  defaultValue: string;
  errors: readonly string[] | undefined;
  draftKey: string;
  uploadImage: UploadImage;
  /** Told when the field stands, and when it becomes empty or is so no more. */
  onSettled: () => void;
  /** Told of the images of the text that are on their way, or could not be sent. */
  onUploadsChange: (counts: UploadCounts) => void;
}

/** What an article says, and beside it what is wrong with it. */
export const ContentField = forwardRef<ArticleEditorHandle, ContentFieldProps>(function ContentField(
  { id, name, defaultValue, errors = [], draftKey, uploadImage, onSettled, onUploadsChange },
  ref,
) {
  const errorId = `${id}-error`;
  const wrong = errors.length > 0;
  return (
    <div className="min-w-0">
      <ArticleEditor
        ref={ref}
        id={id}
        name={name}
        label="Content"
        defaultValue={defaultValue}
        describedBy={wrong ? errorId : undefined}
        invalid={wrong}
        draftKey={draftKey}
        draftWith={DRAFT_FIELDS}
        draftCarries={DRAFT_CARRIES}
        uploadImage={uploadImage}
        onEmptyChange={onSettled}
        onUploadsChange={onUploadsChange}
      />
      {wrong ? (
        <p id={errorId} className="mt-1.5 flex items-start gap-1.5 text-small text-live">
          <WarningIcon />
          <span className="pt-px">{errors.join(' ')}</span>
        </p>
      ) : null}
    </div>
  );
});
