import { useLocation, useNavigate } from '@remix-run/react';
import { useCallback, useRef, useState, type ReactNode, useEffect, type FormEvent } from 'react';
import { addressWith, bannerRequestOf } from './banner-address';
import { type Consent, DEFAULT_CONSENT } from '#shared/site/consent';
import { OpenCookieSettings } from './cookie-settings';
import { sendForm, submittedForm } from '~/components/forms/send-form';
import { Button } from '~/components/ui/button';
import { Checkbox } from '~/components/ui/checkbox';
import { CloseIcon } from '~/components/ui/icons';
import { Notice } from '~/components/ui/notice';

/** Returns the choice of a submitted form: all categories or the ticked ones. */
function choiceOf(form: FormData): Consent {
  const allowed = (category: string) => form.get('choice') === 'all' || form.get(category) === 'on';
  return { necessary: true, analytics: allowed('analytics'), marketing: allowed('marketing') };
}

interface ConsentBannerProps {
  reopened: boolean;
  known: Consent | null;
  onSaved: (consent: Consent) => void;
  onClosed: () => void;
}

/**
 * The cookie banner at the foot of the screen, or above the page on a short one. Works without scripts. CSS selects one
 * of its two save buttons by the state of the disclosure, and reserves space below the focused element
 * (styles/consent.css, by `data-consent`). `known`: the saved choice, as initial state of the checkboxes. `reopened`: by
 * 'Cookie settings', with the settings expanded.
 */
function ConsentBanner({ reopened, known, onSaved, onClosed }: ConsentBannerProps) {
  const location = useLocation();
  const [state, setState] = useState<'open' | 'sending' | 'failed'>('open');
  const banner = useRef<HTMLElement>(null);
  const ticked = known ?? DEFAULT_CONSENT;

  useEffect(() => {
    if (reopened) banner.current?.focus({ preventScroll: true });
  }, [reopened]);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = submittedForm(event);
    setState('sending');
    if (await sendForm('/consent', form)) onSaved(choiceOf(form));
    else setState('failed');
  };
  // Hidden immediately, but still mounted: if saving fails, it shows the same checkboxes again.
  const hidden = state === 'sending';

  return (
    <section
      ref={banner}
      tabIndex={-1}
      aria-labelledby="consent-title"
      data-consent={hidden ? undefined : ''}
      hidden={hidden}
      className="sticky bottom-0 z-10 order-last short-screen:static short-screen:order-none overflow-y-auto border-t border-line bg-surface shadow-card outline-none"
    >
      <form
        method="post"
        action="/consent"
        onSubmit={(event) => void onSubmit(event)}
        className="group relative wrap grid gap-x-8 gap-y-3 py-4 lg:grid-cols-[1fr_auto] lg:items-end"
      >
        <input type="hidden" name="returnTo" value={addressWith(location, null)} />
        <div>
          {state === 'failed' ? (
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
          <details open={reopened} className="mt-1">
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
                defaultChecked={ticked.analytics}
              />
              <Checkbox
                id="consent-marketing"
                name="marketing"
                label="Marketing"
                hint="Tell us where visitors come from."
                defaultChecked={ticked.marketing}
              />
            </div>
          </details>
        </div>
        <div className="flex flex-wrap gap-2.5 *:flex-auto lg:pt-9">
          <Button variant="primary" name="choice" value="all">
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
          href={addressWith(location, known === null ? 'later' : null)}
          onClick={(event) => {
            event.preventDefault();
            onClosed();
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

/** The choice saved since the page was loaded; the loader's data does not contain it. */
let savedChoice: Consent | null = null;

/**
 * A page with the cookie banner, shown until a choice is saved or the banner is closed. It is early in the tab order.
 * 'Cookie settings' reopens it with the saved choice. `consent`: the choice when the page was loaded.
 */
export function ConsentArea({ consent, children }: { consent: Consent | null; children: ReactNode }) {
  const location = useLocation();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(savedChoice);
  const [closed, setClosed] = useState(false);
  const [settingsOpen, setSettingsOpen] = useState(false);
  const opener = useRef<Element | null>(null);

  const requested = bannerRequestOf(location.search);
  const known = chosen ?? consent;
  const reopened = settingsOpen || requested === 'settings';
  const asking = known === null && !closed && requested !== 'later';

  const open = useCallback(() => {
    opener.current = document.activeElement;
    setSettingsOpen(true);
  }, []);

  const close = () => {
    setClosed(true);
    // The visitor has opened the settings while the first choice was being saved.
    // They stay open.
    if (!reopened && opener.current !== null) return;
    setSettingsOpen(false);
    if (requested === 'settings')
      navigate(addressWith(location, null), { replace: true, preventScrollReset: true });
    // The focus was inside the banner; without an opener it moves to the content of the page.
    const next = opener.current ?? document.querySelector('#content');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    opener.current = null;
  };

  return (
    <OpenCookieSettings.Provider value={open}>
      {reopened || asking ? (
        <ConsentBanner
          // Settings that were opened while the first choice was being saved restart from it.
          key={reopened ? `settings ${JSON.stringify(known)}` : 'question'}
          reopened={reopened}
          known={known}
          onSaved={(consent) => {
            savedChoice = consent;
            setChosen(consent);
            close();
          }}
          onClosed={close}
        />
      ) : null}
      {children}
    </OpenCookieSettings.Provider>
  );
}
