import { useLocation } from '@remix-run/react';
import { useState, type FormEvent } from 'react';
import { sendQuietly } from '~/components/forms/send-quietly';
import { submittedForm } from '~/components/forms/submitted-form';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { CloseIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';
import { DEFAULT_CONSENT } from './consent';

/** Hides the banner for one view, where no script can. */
const LATER_PARAMETER = 'cookies';
const LATER = 'later';

/** A choice was saved since the page was loaded: the page's own data know of none. */
let saved = false;

function pathWithLater(pathname: string, search: string): string {
  const parameters = new URLSearchParams(search);
  parameters.set(LATER_PARAMETER, LATER);
  return `${pathname}?${parameters}`;
}

/**
 * Asks once, at the foot of the page, in its flow: it covers nothing for good and moves nothing. Works without
 * scripts. Which of the two saving buttons shows follows the disclosure, in the style sheet, and so does the room that
 * is kept for it below whatever has the focus (styles/consent.css, by `data-consent`).
 */
export function ConsentBanner() {
  const { pathname, search } = useLocation();
  const [closed, setClosed] = useState(saved);
  const [choice, setChoice] = useState<'open' | 'sending' | 'lost'>('open');
  const later = new URLSearchParams(search).get(LATER_PARAMETER) === LATER;
  if (closed || later) return null;

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChoice('sending');
    if (await sendQuietly('/consent', submittedForm(event))) {
      saved = true;
      setClosed(true);
    } else setChoice('lost');
  };
  // Hidden as soon as a choice is made; what was ticked stays, in case it cannot be saved.
  const hidden = choice === 'sending';

  return (
    <section
      aria-labelledby="consent-title"
      data-consent={hidden ? undefined : ''}
      hidden={hidden}
      className="sticky bottom-0 z-10 overflow-y-auto border-t border-line bg-surface shadow-card"
    >
      <form
        method="post"
        action="/consent"
        onSubmit={(event) => void onSubmit(event)}
        className="group relative wrap grid gap-x-8 gap-y-3 py-4 lg:grid-cols-[1fr_auto] lg:items-end"
      >
        <input type="hidden" name="returnTo" value={pathname + search} />
        <div>
          {choice === 'lost' ? (
            <div className="mb-2 pr-12">
              <Notice kind="error">Your choice could not be saved. Please try again.</Notice>
            </div>
          ) : null}
          <h2 id="consent-title" className="pr-12 text-lead">
            Cookie Settings
          </h2>
          <p className="text-soft">
            We use cookies to enhance your experience and analyze our website traffic.
          </p>
          <details className="mt-1">
            <summary className="inline-flex min-h-8 cursor-pointer list-none items-center font-semibold underline underline-offset-4 hover:no-underline [&::-webkit-details-marker]:hidden">
              Customize Settings
            </summary>
            <div className="mt-2 grid gap-x-6 sm:grid-cols-3">
              <Checkbox
                id="consent-necessary"
                label="Necessary"
                hint="Keep the site working. Always on."
                defaultChecked
                disabled
              />
              <Checkbox
                id="consent-analytics"
                name="analytics"
                label="Analytics"
                hint="Tell us which pages are read."
                defaultChecked={DEFAULT_CONSENT.analytics}
              />
              <Checkbox
                id="consent-marketing"
                name="marketing"
                label="Marketing"
                hint="Tell us where visitors come from."
                defaultChecked={DEFAULT_CONSENT.marketing}
              />
            </div>
          </details>
        </div>
        <div className="flex flex-wrap gap-2.5 *:flex-auto lg:pt-9">
          <Button look="primary" name="choice" value="all">
            Accept All
          </Button>
          <span className="flex *:flex-1 group-has-[details[open]]:hidden">
            <Button name="choice" value="current">
              Essential Only
            </Button>
          </span>
          <span className="hidden *:flex-1 group-has-[details[open]]:flex">
            <Button name="choice" value="current">
              Save Preferences
            </Button>
          </span>
        </div>
        <a
          href={pathWithLater(pathname, search)}
          onClick={(event) => {
            event.preventDefault();
            setClosed(true);
          }}
          aria-label="Close cookie settings without saving"
          className="absolute top-2.5 right-0 grid size-11 place-items-center rounded-control text-soft hover:text-ink"
        >
          <CloseIcon />
        </a>
      </form>
    </section>
  );
}
