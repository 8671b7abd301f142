import { ArticleEditor } from '~/components/editor/article-editor';
import type { UploadImage } from '~/components/editor/image-uploads';
import { WarningIcon } from '~/components/ui/icons';

/** What an article says, and beside it what is wrong with it. */
export function ContentField({
  id,
  name,
  defaultValue,
  errors = [],
  draftKey,
  draftWith,
  uploadImage,
  onSettled,
  onUploadsChange,
}: {
  id: string;
  name: string;
  defaultValue: string;
  errors: readonly string[] | undefined;
  draftKey: string;
  draftWith: readonly string[];
  uploadImage: UploadImage;
  /** Told when the field stands, and when it becomes empty or is so no more. */
  onSettled: () => void;
  /** How many pictures of the text are on their way. */
  onUploadsChange: (pending: number) => void;
}) {
  const errorId = `${id}-error`;
  const wrong = errors.length > 0;
  return (
    <div className="min-w-0">
      <ArticleEditor
        id={id}
        name={name}
        label="Content"
        defaultValue={defaultValue}
        describedBy={wrong ? errorId : undefined}
        invalid={wrong}
        draftKey={draftKey}
        draftWith={draftWith}
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
}
