import { PLATFORM_FILES, type Platform } from '#shared/releases/release';
import type { ReleaseUpload } from '#shared/releases/release-uploads';
import { Button } from '~/components/ui/button';
import { formatFileSize } from '#shared/format';
import type { Forms } from '~/components/forms/use-forms';
import { DateAndMinute } from '~/components/time/dates';

/** An upload that has not ended, as the page lists it. */
export interface ListedUpload extends Pick<
  ReleaseUpload,
  'id' | 'kind' | 'platform' | 'originalName' | 'fileSize' | 'createdAt' | 'receivedAt'
> {
  /** The admin's name; null for a deleted account. */
  by: string | null;
}

/** The data in the results of a platform file's forms. */
export interface UploadDetails {
  platform: Platform;
}

/** An upload of another page, browser or admin, and the form that cancels it. */
export function RunningUpload({ upload, forms }: { upload: ListedUpload; forms: Forms<UploadDetails> }) {
  const { id, kind, platform, originalName, fileSize, by, createdAt, receivedAt } = upload;
  const { Form, pending, pendingIntent } = forms;
  return (
    <div className="grid gap-2.5 rounded-control border border-line bg-sunken p-3.5">
      <p className="[overflow-wrap:anywhere]">
        The upload of <strong className="font-semibold">{originalName}</strong>
        {fileSize === null ? null : ` (${formatFileSize(fileSize)})`} by {by ?? 'a deleted account'} has not
        ended.
      </p>
      <p className="text-small text-soft">
        Begun <DateAndMinute iso={createdAt} />. Last received data <DateAndMinute iso={receivedAt} />.
        {kind === 'form'
          ? ' It is a form upload and ends when its page is closed.'
          : ' To continue it, choose the same file in the same browser.'}
      </p>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="platform" value={platform} />
        <input type="hidden" name="uploadId" value={id} />
        <Button
          name="intent"
          value="cancel-upload"
          pending={pendingIntent === 'cancel-upload' && pending?.get('uploadId') === id}
        >
          Cancel this upload<span className="sr-only"> of the {PLATFORM_FILES[platform].label} file</span>
        </Button>
      </Form>
    </div>
  );
}
