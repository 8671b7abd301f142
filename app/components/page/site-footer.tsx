import { Link } from '~/components/ui/button';
import { CookieSettingsLink } from '~/components/consent/cookie-settings';
import { FOOTER, SECTIONS } from '~/components/site/site-links';
import { Logo } from '../site/logo';

/** The footer of a public page, with links to the landing page's sections. `landing`: it is on the landing page. */
export function SiteFooter({ landing = false }: { landing?: boolean }) {
  return (
    <footer className="mt-10 border-t border-line bg-sunken py-12">
      <div className="wrap grid gap-8 md:grid-cols-[1fr_auto]">
        <div>
          <Logo />
          <p className="mt-4 max-w-[36em] text-soft">{FOOTER.independent}</p>
          <p className="mt-2 max-w-[36em] text-soft">{FOOTER.honest}</p>
        </div>
        <nav aria-label={landing ? FOOTER.links.here : FOOTER.links.elsewhere}>
          <ul className="grid grid-cols-2 gap-x-10 md:grid-cols-1">
            {SECTIONS.map(({ id, name }) => (
              <li key={id}>
                <a
                  href={landing ? `#${id}` : `/#${id}`}
                  className="inline-block py-1.5 underline-offset-4 hover:underline"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <LegalLinks />
      </div>
    </footer>
  );
}

const LEGAL_LINK = 'inline-block py-1.5 underline-offset-4 hover:underline';

/** The cookie settings, the privacy page and the terms. */
function LegalLinks() {
  return (
    <nav aria-label={FOOTER.legal.label} className="text-small text-soft md:col-span-full">
      <ul className="flex flex-wrap gap-x-6">
        {FOOTER.legal.pages.map(({ name, href }) => (
          <li key={href}>
            <Link to={href} prefetch="intent" className={LEGAL_LINK}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          <CookieSettingsLink className={LEGAL_LINK} />
        </li>
      </ul>
    </nav>
  );
}

/** The footer of every other page. */
export function SmallFooter() {
  return (
    <footer className="mt-10 border-t border-line py-4">
      <div className="wrap">
        <LegalLinks />
      </div>
    </footer>
  );
}
