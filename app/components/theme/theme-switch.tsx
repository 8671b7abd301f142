import { useFetcher, useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { DarkThemeIcon, LightThemeIcon, SystemThemeIcon } from '~/components/ui/icons';
import { asTheme, THEMES, type Theme } from './theme';

const FETCHER_KEY = 'theme';

const FACES: Record<Theme, { name: string; icon: ReactNode }> = {
  system: { name: 'Same theme as this device', icon: <SystemThemeIcon /> },
  light: { name: 'Light theme', icon: <LightThemeIcon /> },
  dark: { name: 'Dark theme', icon: <DarkThemeIcon /> },
};

/** The theme in force: the one just pressed while it is being saved, else the remembered one. */
export function useTheme(remembered: Theme): Theme {
  const fetcher = useFetcher({ key: FETCHER_KEY });
  return asTheme(fetcher.formData?.get('theme')) ?? remembered;
}

/** Three buttons of one form; works without scripts, and with them without a reload. */
export function ThemeSwitch({ theme }: { theme: Theme }) {
  const fetcher = useFetcher({ key: FETCHER_KEY });
  const { pathname, search } = useLocation();
  return (
    <fetcher.Form method="post" action="/theme" preventScrollReset>
      <input type="hidden" name="returnTo" value={pathname + search} />
      <fieldset className="flex rounded-full border border-line bg-sunken p-0.5">
        <legend className="sr-only">Theme</legend>
        {THEMES.map((option) => (
          <button
            key={option}
            name="theme"
            value={option}
            aria-pressed={option === theme}
            title={FACES[option].name}
            className="grid size-8 cursor-pointer place-items-center rounded-full text-soft transition hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card"
          >
            <span className="sr-only">{FACES[option].name}</span>
            {FACES[option].icon}
          </button>
        ))}
      </fieldset>
    </fetcher.Form>
  );
}
