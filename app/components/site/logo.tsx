import { Link } from '~/components/ui/button';
import { PRODUCT_NAME } from '#shared/brand';
import { Badge } from '~/components/ui/badge';

/** The logo: a sleeved card with a queue of three. */
export function Mark() {
  return (
    <svg viewBox="0 0 24 24" width="26" height="26" fill="none" aria-hidden="true" className="shrink-0">
      <rect x="4.5" y="2" width="15" height="20" rx="3.5" stroke="currentColor" strokeWidth="2" />
      <circle cx="12" cy="7.5" r="2" className="fill-brand" />
      <circle cx="12" cy="12.8" r="1.4" fill="currentColor" />
      <circle cx="12" cy="17.2" r="1.1" fill="currentColor" opacity="0.6" />
    </svg>
  );
}

/** The product's name with its logo, linked to the home page. */
export function Logo() {
  return (
    <Link
      to="/"
      title="Go to home page"
      className="flex items-center gap-2.5 no-underline max-[22rem]:gap-1.5"
    >
      <Mark />
      <span className="font-display text-[1.25rem] leading-none font-extrabold tracking-[-0.03em]">
        {PRODUCT_NAME}
      </span>
      <Badge>BETA</Badge>
    </Link>
  );
}
