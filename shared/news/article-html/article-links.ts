/** The beginnings of addresses that a link of an article may have. */
const ALLOWED_PROTOCOLS = ['http:', 'https:', 'mailto:'];

/** Control characters and white space, which browsers skip when they read an address. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const SKIPPED = /[\u0000-\u0020\u007f-\u009f\u00a0\u200b-\u200f\u2028\u2029\ufeff]+/g;

/** An address as an article may link to it (http, https, mailto, or from our site's root), or null. */
export function allowedHref(address: string): string | null {
  const href = address.replace(SKIPPED, '');
  if (href.includes('\\')) return null;
  if (/^\/(?!\/)/.test(href)) return href;
  if (!/^[a-z]+:/i.test(href)) return null;
  const url = URL.canParse(href) ? new URL(href) : null;
  if (url === null || !ALLOWED_PROTOCOLS.includes(url.protocol)) return null;
  return url.protocol === 'mailto:' || /^https?:\/\//i.test(href) ? href : null;
}

/** What a person typed as an address: one without `https://` is given it, a mail address `mailto:`. Null: no address. */
export function typedHref(typed: string): string | null {
  const text = typed.trim();
  const allowed = allowedHref(text);
  if (allowed !== null || text === '') return allowed;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(text)) return `mailto:${text}`;
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+(:\d+)?([/?#]\S*)?$/u.test(text))
    return allowedHref(`https://${text}`);
  return null;
}

/** The path of a picture that was uploaded here, or null. `siteOrigin` may stand before it. */
export function ownImagePath(src: string, siteOrigin: string | null): string | null {
  const path = siteOrigin !== null && src.startsWith(`${siteOrigin}/`) ? src.slice(siteOrigin.length) : src;
  return /^\/uploads\/[\w-]+\/[\w-]+(\.[\w-]+)+$/.test(path) ? path : null;
}
