import { useLocation } from '@remix-run/react';
import { useState, type FormEvent, type ReactNode } from 'react';
import { LightThemeIcon, MoonIcon, SystemThemeIcon } from '~/components/ui/icons';
import { submittedForm } from '~/components/forms/send-form';
import { chooseTheme } from './chosen-theme';
import { THEMES, type Theme } from '#shared/site/theme';

const OPTIONS: Record<Theme, { name: string; icon: ReactNode }> = {
  system: { name: 'Same theme as this device', icon: <SystemThemeIcon /> },
  light: { name: 'Light theme', icon: <LightThemeIcon /> },
  dark: { name: 'Dark theme', icon: <MoonIcon /> },
};

/** The theme switch; with scripts it needs no reload. `inBar`: it is in the navigation bar, so its error overlays the page. */
export function ThemeSwitch({ theme, inBar = false }: { theme: Theme; inBar?: boolean }) {
  const { pathname, search } = useLocation();
  const [failed, setFailed] = useState(false);
  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setFailed(false);
    setFailed(!(await chooseTheme(submittedForm(event))));
  };
  return (
    <form method="post" action="/theme" className="relative" onSubmit={(event) => void onSubmit(event)}>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <fieldset className="flex w-fit rounded-full border border-line bg-sunken p-0.5">
        <legend className="sr-only">Theme</legend>
        {THEMES.map((option) => (
          <button
            key={option}
            name="theme"
            value={option}
            aria-pressed={option === theme}
            title={OPTIONS[option].name}
            className="grid size-8 cursor-pointer place-items-center rounded-full text-soft transition hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card"
          >
            <span className="sr-only">{OPTIONS[option].name}</span>
            {OPTIONS[option].icon}
          </button>
        ))}
      </fieldset>
      {failed ? (
        <p
          role="alert"
          className={`mt-1.5 rounded-control border border-live bg-live-wash px-3 py-1.5 text-small text-live ${inBar ? 'absolute top-full right-0 z-10 w-60' : 'max-w-40'}`}
        >
          Your theme could not be saved. Please try again.
        </p>
      ) : null}
    </form>
  );
}
