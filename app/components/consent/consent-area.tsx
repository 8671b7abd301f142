import { useLocation, useNavigate } from '@remix-run/react';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { addressWith, bannerRequestOf } from './banner-address';
import type { Consent } from '#shared/site/consent';
import { ConsentBanner } from './consent-banner';
import { OpenCookieSettings } from './cookie-settings';

/** The choice saved since the page was loaded; the loader's data does not contain it. */
let savedChoice: Consent | null = null;

/**
 * A page with the cookie banner, shown until a choice is saved or the banner is closed: early by keyboard, at the foot of the
 * screen. 'Cookie settings' opens it again with the saved choice. `consent`: the choice when the page was loaded.
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
    // The focus was inside the banner; without an opener the content of the page gets it.
    const next = opener.current ?? document.querySelector('#content');
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
    opener.current = null;
  };

  return (
    <OpenCookieSettings.Provider value={open}>
      {reopened || asking ? (
        <ConsentBanner
          key={reopened ? 'settings' : 'question'}
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
