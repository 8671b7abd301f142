import { useId, useRef } from 'react';
import { Button } from '~/components/ui/button';
import { useHydrated } from '~/components/ui/use-hydrated';
import { copyText } from '~/components/ui/copy-text';

const COPIED = 'Article URL copied to clipboard!';

/** Opens the device's share dialog. Returns false if it has none or cannot share this. */
async function shareNatively(what: ShareData): Promise<boolean> {
  if (typeof navigator.share !== 'function') return false;
  try {
    await navigator.share(what);
    return true;
  } catch (error) {
    // The user closed the dialog.
    return error instanceof DOMException && error.name === 'AbortError';
  }
}

/** Shares an article with the device's share dialog, or else copies its URL. Field and mail link work without scripts. */
export function ShareArticle({ title, url }: { title: string; url: string }) {
  const id = useId();
  const address = useRef<HTMLInputElement>(null);
  const hydrated = useHydrated();

  async function share(): Promise<void> {
    if (await shareNatively({ title, url })) return;
    if (await copyText(url)) window.alert(COPIED);
    else address.current?.select();
  }

  return (
    <section aria-labelledby={`${id}-title`} className="mt-10 border-t border-line pt-6">
      <h2 id={`${id}-title`} className="text-lead">
        Share this story
      </h2>
      <label htmlFor={id} className="mt-3 block text-small text-soft">
        Article link
      </label>
      <div className="mt-1 flex flex-wrap gap-2.5">
        <input
          ref={address}
          id={id}
          type="text"
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
          className="min-h-11 min-w-0 flex-[1_1_16rem] rounded-control border border-line bg-sunken px-3.5 text-small"
        />
        <a
          href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
          className="inline-flex min-h-11 items-center px-2 font-semibold underline underline-offset-4"
        >
          By email
        </a>
        {/* Reserves its space before hydration, so that nothing moves. */}
        <span className={hydrated ? 'contents' : 'invisible contents'}>
          <Button type="button" variant="primary" onClick={() => void share()}>
            Share
          </Button>
        </span>
      </div>
    </section>
  );
}
