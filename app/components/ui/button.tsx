import { Link as RemixLink, PrefetchPageLinks, useRouteLoaderData } from '@remix-run/react';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { preloadPage } from '~/components/lazy/preload-page';
import { Spinner } from './icons';

const VARIANTS = {
  plain: 'border-line bg-surface text-ink hover:border-soft',
  primary: 'border-transparent bg-brand text-brand-ink hover:opacity-90',
  /** The landing page's one primary call to action. */
  foil: 'foil border-transparent hover:saturate-150',
} as const;

type ButtonVariant = keyof typeof VARIANTS;

/** The classes of a button, for buttons and for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'plain'): string {
  return `inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-control border px-3.5 font-semibold whitespace-nowrap no-underline transition sm:px-[18px] disabled:cursor-default disabled:opacity-60 ${VARIANTS[variant]}`;
}

/** The classes of a button that looks like a link. */
export const LINK_BUTTON_CLASS =
  'inline-flex min-h-8 cursor-pointer items-center font-semibold text-brand underline underline-offset-4 hover:no-underline disabled:opacity-60';

type ButtonProps = Omit<ComponentProps<'button'>, 'className'> & {
  variant?: ButtonVariant | 'link';
  /** Shows a spinner and ignores presses. */
  pending?: boolean;
  wide?: boolean;
};

/** A button. `variant="link"` looks like a link in running text. */
export function Button({ variant = 'plain', pending = false, wide = false, children, ...rest }: ButtonProps) {
  const className = variant === 'link' ? LINK_BUTTON_CLASS : buttonClass(variant);
  return (
    <button
      {...rest}
      aria-disabled={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
      className={wide ? `${className} w-full` : className}
    >
      {pending ? <Spinner /> : null}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  href: string;
  variant?: ButtonVariant;
  children: ReactNode;
}

/** A link that looks like a button. */
export function ButtonLink({ href, variant = 'plain', children }: ButtonLinkProps) {
  return href.startsWith('#') ? (
    <a href={href} className={buttonClass(variant)}>
      {children}
    </a>
  ) : (
    <Link to={href} preventScrollReset={href.startsWith('/?')} className={buttonClass(variant)}>
      {children}
    </Link>
  );
}

type LinkProps = Omit<ComponentProps<'a'>, 'href' | 'ref'> & {
  to: string;
  /** `intent`: the browser loads the page's scripts and data on hover, touch or focus. `to` must begin with a slash. */
  prefetch?: 'intent';
  replace?: boolean;
  preventScrollReset?: boolean;
};

/** The element that `RemixLink` renders, without its hooks. Only the router can resolve a relative address. */
function ServerLink({ to, prefetch: _onlyInBrowsers, replace, preventScrollReset, ...anchor }: LinkProps) {
  if (!to.startsWith('/')) return <RemixLink {...{ to, replace, preventScrollReset }} {...anchor} />;
  return <a {...anchor} data-discover="true" href={to} />;
}

/** A pointer that only passes a link loads nothing, and neither does a finger that begins to scroll. */
const INTENT_MS = 65;

/** Browsers without it never ask to save data (developer.mozilla.org, `NetworkInformation.saveData`). */
const savesData = () =>
  (navigator as Navigator & { connection?: { saveData: boolean } }).connection?.saveData;

/**
 * Remix's own `prefetch` reloads the page when a script does not load (2.17, routeModules.js); here scripts load first. The
 * data of signed-in users is not prefetched: it is never cached, and would be requested twice (`handleDataRequest`).
 */
function PrefetchingLink({ prefetch: _intent, ...link }: LinkProps) {
  const { to } = link;
  const isSignedOut = useRouteLoaderData<{ signedIn: unknown }>('root')?.signedIn === null;
  const [intended, setIntended] = useState(false);
  const [loaded, setLoaded] = useState(false);
  useEffect(() => {
    if (!intended) return;
    const timer = setTimeout(() => void preloadPage(to).then(setLoaded), INTENT_MS);
    return () => {
      clearTimeout(timer);
      setLoaded(false);
    };
  }, [intended, to]);
  const start = () => setIntended(!savesData());
  const end = () => setIntended(false);
  return (
    <>
      <RemixLink
        {...link}
        onFocus={start}
        onBlur={end}
        onPointerEnter={start}
        onPointerLeave={end}
        onClick={end}
      />
      {intended && loaded && isSignedOut ? <PrefetchPageLinks page={to} /> : null}
    </>
  );
}

function BrowserLink(link: LinkProps) {
  return link.prefetch === undefined ? <RemixLink {...link} /> : <PrefetchingLink {...link} />;
}

/**
 * Remix's link between pages. The server renders its element only: the hooks of `RemixLink`, which resolve the address and
 * handle events, took a tenth of the time of a page with twenty links.
 */
export const Link: (props: LinkProps) => ReactNode = import.meta.env.SSR ? ServerLink : BrowserLink;
