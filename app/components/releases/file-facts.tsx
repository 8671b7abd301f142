import type { ReleaseFile } from '#shared/releases/release';
import { counted, formatFileSize } from '#shared/format';
import { DateAndMinute } from '~/components/time/dates';

/** Size, SHA-256, date and downloads of a release's file. `downloads`: how many members have it. */
export function FileFacts({ file, downloads }: { file: ReleaseFile; downloads: number }) {
  const facts = [
    ['Size', formatFileSize(file.fileSize)],
    ['SHA-256', <code className="text-[0.92em] break-all">{file.sha256}</code>],
    ['Uploaded', <DateAndMinute iso={file.createdAt} />],
    ['Downloaded by', counted(downloads, 'member')],
  ] as const;
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 text-small">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
