import { isUploadedImage } from '../../storage/upload-path';
import { removeHidden } from '../../text';
import { LINK_PROTOCOLS } from './article-format';
import { unwrapLink } from './link-wrappers';

/** Characters that browsers ignore in a URL, and invisible characters. */
// oxlint-disable-next-line no-control-regex -- matched on purpose
const SKIPPED = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]/g;

/** Characters that browsers percent-encode in a URL. */
const CODED = /[\s"<>`]/g;

/** How an allowed URL begins. Excludes URLs that browsers could resolve to another host than the visible one. */
const BEGINNING = /^(?:https?:\/\/[^/]|mailto:.|\/(?!\/))/i;

/**
 * Normalises a URL that an article may link to: http, https, mailto, or a path of this site. A wrapper that contains its
 * target becomes the target. Null for any other. Idempotent.
 */
export function allowedHref(address: string): string | null {
  let href = checkedHref(address);
  // Wrappers contain wrappers. Each target is shorter than its wrapper.
  for (;;) {
    const target = href === null ? null : unwrapLink(href);
    if (target === null) return href;
    href = checkedHref(target);
  }
}

function checkedHref(address: string): string | null {
  const href = removeHidden(address, SKIPPED).trim().replace(CODED, encodeURIComponent);
  if (href.includes('\\') || !BEGINNING.test(href)) return null;
  if (href.startsWith('/')) return href;
  const protocol = URL.canParse(href) ? new URL(href).protocol.slice(0, -1) : '';
  return (LINK_PROTOCOLS as readonly string[]).includes(protocol) ? href : null;
}

/** The text of a link whose text is its own address, such as `address`: the target if that was a wrapper. */
export function linkText(address: string): string {
  const text = address.trim();
  const href = /^https?:\/\/\S+$/i.test(text) ? checkedHref(text) : null;
  return href === null || unwrapLink(href) === null ? address : (allowedHref(href) ?? address);
}

/** Normalises a typed URL: adds a missing `https://` or `mailto:`. Null if it is not a URL. */
export function typedHref(typed: string): string | null {
  const text = typed.trim();
  const allowed = allowedHref(text);
  if (allowed !== null || text === '') return allowed;
  if (/^[^\s@/:]+@[^\s@/:.]+(?:\.[^\s@/:.]+)+$/.test(text)) return allowedHref(`mailto:${text}`);
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(text))
    return allowedHref(`https://${text}`);
  return null;
}

/** The path of an image that was uploaded here, or null. `siteOrigin` may precede it. */
export function ownImagePath(src: string, siteOrigin: string | null): string | null {
  const path = siteOrigin !== null && src.startsWith(`${siteOrigin}/`) ? src.slice(siteOrigin.length) : src;
  return isUploadedImage(path) ? path : null;
}
