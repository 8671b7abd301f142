import { isUploadedImage } from '../../storage/upload-path';
import { LINK_PROTOCOLS } from './article-format';

/** Characters that browsers skip when they read an address, or that nobody sees. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const SKIPPED = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]+/g;

/** Characters that browsers write as codes when they follow an address. */
const CODED = /[\s"<>`]/g;

/** Nothing that a browser could read as another host than the one that is seen. */
const BEGINNING = /^(?:https?:\/\/[^/]|mailto:.|\/(?!\/))/i;

/**
 * An address as an article may link to it: http, https, mailto, or from our site's root. Null for every other. Doing it
 * again changes nothing.
 */
export function allowedHref(address: string): string | null {
  const href = address.replace(SKIPPED, '').trim().replace(CODED, encodeURIComponent);
  if (href.includes('\\') || !BEGINNING.test(href)) return null;
  if (href.startsWith('/')) return href;
  const protocol = URL.canParse(href) ? new URL(href).protocol.slice(0, -1) : '';
  return (LINK_PROTOCOLS as readonly string[]).includes(protocol) ? href : null;
}

/** What a person typed as an address: one without `https://` is given it, a mail address `mailto:`. Null: no address. */
export function typedHref(typed: string): string | null {
  const text = typed.trim();
  const allowed = allowedHref(text);
  if (allowed !== null || text === '') return allowed;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return allowedHref(`mailto:${text}`);
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(text))
    return allowedHref(`https://${text}`);
  return null;
}

/** The path of a picture that was uploaded here, or null. `siteOrigin` may stand before it. */
export function ownImagePath(src: string, siteOrigin: string | null): string | null {
  const path = siteOrigin !== null && src.startsWith(`${siteOrigin}/`) ? src.slice(siteOrigin.length) : src;
  return isUploadedImage(path) ? path : null;
}
