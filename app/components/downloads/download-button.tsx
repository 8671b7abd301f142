import { PLATFORM_FILES } from '#shared/releases/release';
import { Button, ButtonLink, buttonClass } from '~/components/ui/button';
import { DownloadLink } from './download-link';
import { FileFacts } from './file-facts';
import { CARD_ID, notAvailable, type Downloads } from './downloads-view';
import { useDevice } from './use-device';

/**
 * The download for this computer as a button, with the file's size and SHA-256, for the page that has the card too. It shows
 * its status in a `DownloadStatus` of the place `button`. `downloads`: null if it could not be read, which the card says.
 */
export function DownloadButton({ downloads }: { downloads: Downloads | null }) {
  const device = useDevice(downloads?.device ?? 'handheld');
  if (downloads === null) return null;
  if (device === 'handheld') return <ButtonLink href={`#${CARD_ID}`}>Desktop app</ButtonLink>;
  const file = downloads.latest?.files[device];
  if (file !== undefined)
    return (
      <>
        <DownloadLink file={file} place="button" className={buttonClass()} />
        <div className="min-w-0 self-center">
          <FileFacts file={file} />
        </div>
      </>
    );
  return (
    <>
      <Button type="button" disabled aria-describedby="download-missing">
        Download for {PLATFORM_FILES[device].label}
      </Button>
      <span id="download-missing" className="self-center text-small text-soft">
        {notAvailable(device)}
      </span>
    </>
  );
}
