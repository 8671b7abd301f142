import { useState } from 'react';
import { Button } from '~/components/ui/button';
import { formatFileSize } from '#shared/format';
import { useHydrated } from '~/components/ui/use-hydrated';
import { copyText } from '~/components/ui/copy-text';
import { Disclosure } from './disclosure';
import type { FileView } from './downloads-view';

const SHORT_DIGITS = 12;

/** The name and the size of a file, and its SHA-256: the first digits, and all of them on demand. */
export function FileFacts({ file: { fileName, fileSize, sha256 } }: { file: FileView }) {
  return (
    <div className="text-small text-soft">
      <p className="wrap-anywhere">
        {fileName}, {formatFileSize(fileSize)}
      </p>
      <Disclosure
        summary={
          <span>
            SHA-256 <code>{sha256.slice(0, SHORT_DIGITS)}…</code>
          </span>
        }
      >
        <div className="mt-1 grid justify-items-start gap-2">
          <code className="wrap-anywhere text-ink">{sha256}</code>
          <CopyButton text={sha256} />
        </div>
      </Disclosure>
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const hydrated = useHydrated();
  const [result, setResult] = useState<'copied' | 'denied' | null>(null);
  if (!hydrated) return null;
  return (
    <p className="flex flex-wrap items-center gap-2.5">
      <Button
        type="button"
        onClick={() => void copyText(text).then((copied) => setResult(copied ? 'copied' : 'denied'))}
      >
        Copy<span className="sr-only"> the SHA-256</span>
      </Button>
      <span role="status">
        {result === 'copied' ? 'Copied.' : null}
        {result === 'denied'
          ? 'The browser does not allow it. Please select the digits and copy them.'
          : null}
      </span>
    </p>
  );
}
