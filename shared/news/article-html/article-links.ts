import { isUploadedImage } from '../../storage/upload-path';
import { removeHidden } from '../../hidden-characters';
import { LINK_PROTOCOLS } from './article-format';

/**
 * Addresses of other sites that lead to the address which they contain: search engines, social networks and mail security
 * services write them in place of links. Some also contain the reader's mail address.
 */
interface Wrapper {
  host: RegExp;
  /** How the path begins; any by default. */
  path?: string;
  /** The parameters that may contain the target, in this order. */
  parameters?: readonly string[];
  /** Reads the target from another place. */
  read?(url: URL): string | null;
}

const WRAPPERS: readonly Wrapper[] = [
  { host: /^(?:www\.)?google\.[a-z.]{2,6}$/, path: '/url', parameters: ['q', 'url'] },
  { host: /^lm?\.(?:facebook|messenger|instagram|threads|workplace)\.(?:com|net)$/, parameters: ['u'] },
  { host: /^(?:www|m)\.facebook\.com$/, path: '/flx/warn', parameters: ['u'] },
  { host: /^(?:www\.)?linkedin\.com$/, path: '/redir/', parameters: ['url'] },
  { host: /^(?:www\.)?linkedin\.com$/, path: '/safety/go', parameters: ['url'] },
  { host: /^(?:lnkd\.in|t\.co)$/, parameters: ['url', 'u'] },
  { host: /^(?:www\.)?(?:twitter|x)\.com$/, path: '/i/redirect', parameters: ['url'] },
  { host: /^(?:www\.|m\.)?youtube\.com$/, path: '/redirect', parameters: ['q'] },
  { host: /^out\.reddit\.com$/, parameters: ['url'] },
  { host: /^(?:www\.)?pinterest\.[a-z.]{2,6}$/, path: '/offsite', parameters: ['url'] },
  { host: /^t\.umblr\.com$/, path: '/redirect', parameters: ['z'] },
  { host: /^(?:m\.)?vk\.com$/, path: '/away.php', parameters: ['to'] },
  { host: /^steamcommunity\.com$/, path: '/linkfilter', parameters: ['u', 'url'] },
  { host: /^(?:www\.)?slack-redir\.net$/, path: '/link', parameters: ['url'] },
  { host: /^(?:www\.)?duckduckgo\.com$/, path: '/l/', parameters: ['uddg'] },
  { host: /\.safelinks\.protection\.(?:outlook\.com|office365\.us)$/, parameters: ['url'] },
  { host: /^statics\.teams\.cdn\.office\.net$/, parameters: ['url'] },
  { host: /^urldefense(?:\.proofpoint)?\.(?:com|us)$/, path: '/v1/', parameters: ['u'] },
  { host: /^urldefense(?:\.proofpoint)?\.(?:com|us)$/, path: '/v2/', read: readProofpoint2 },
  { host: /^urldefense(?:\.proofpoint)?\.(?:com|us)$/, path: '/v3/', read: readProofpoint3 },
  { host: /\.(?:mimecast|mimecastprotect)\.com$/, parameters: ['url', 'u'] },
  { host: /^linkprotect\.cudasvc\.com$/, path: '/url', parameters: ['a'] },
  { host: /^protect\d?\.fireeye\.com$/, parameters: ['u'] },
  { host: /^clicktime\.symantec\.com$/, parameters: ['u'] },
  { host: /^link\.edgepilot\.com$/, parameters: ['u'] },
  { host: /\.trendmicro\.com$/, path: '/wis/clicktime/', parameters: ['url'] },
  { host: /^secure-web\.cisco\.com$/, read: ({ pathname }) => decoded(pathname.split('/').at(-1) ?? '') },
];

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Proofpoint URL Defense 2: `-` stands for `%`, `_` for `/` (Proofpoint, "Decoding URL Defense links"). */
function readProofpoint2({ searchParams }: URL): string | null {
  const coded = searchParams.get('u');
  return coded === null ? null : decoded(coded.replaceAll('-', '%').replaceAll('_', '/'));
}

/** The digits of base64 in addresses, which also number the lengths of runs, from 2. */
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Proofpoint URL Defense 3: `__target__;characters!…`. In the target `*` stands for the next of the characters, which are
 * base64, and `**` with a digit for a run of them (Proofpoint, "Decoding URL Defense links").
 */
function readProofpoint3({ href }: URL): string | null {
  const start = href.indexOf('/v3/__') + '/v3/__'.length;
  const end = href.indexOf('__;', start);
  if (start < '/v3/__'.length || end === -1) return null;
  const codedEnd = href.indexOf('!', end);
  const characters = readBase64(href.slice(end + '__;'.length, codedEnd === -1 ? undefined : codedEnd));
  if (characters === null) return null;
  let next = 0;
  const target = href.slice(start, end).replace(/\*\*([\w-])|\*/g, (_, run: string | undefined) => {
    const length = run === undefined ? 1 : DIGITS.indexOf(run) + 2;
    next += length;
    return characters.slice(next - length, next).join('');
  });
  // Some mail servers merge the two slashes.
  return target.replace(/^(https?:)\/(?!\/)/i, '$1//');
}

/** The characters of a text in UTF-8 and base64url; null for anything else. */
function readBase64(text: string): string[] | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    );
    return [...new TextDecoder('utf-8', { fatal: true }).decode(bytes)];
  } catch {
    return null;
  }
}

/** Longer addresses are left as they are: each wrapper in a wrapper is read again. */
const MAX_LENGTH = 8_192;

/** The address in a wrapper; null for other addresses. `href`: absolute. The target may have any protocol. */
function unwrapLink(href: string): string | null {
  if (href.length > MAX_LENGTH || !/^https?:/i.test(href) || !URL.canParse(href)) return null;
  const url = new URL(href);
  for (const { host, path = '/', parameters = [], read } of WRAPPERS) {
    if (!host.test(url.hostname) || !url.pathname.startsWith(path)) continue;
    const found = [read?.(url), ...parameters.map((name) => url.searchParams.get(name))];
    const target = found.find((text) => text != null && /^\s*[a-z][a-z\d+.-]*:/i.test(text));
    if (target != null) return target;
  }
  return null;
}

/** Characters that browsers ignore in a URL, and invisible characters. */
// oxlint-disable-next-line no-control-regex -- matched on purpose
const SKIPPED = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028\u2029\ufeff]/g;

/** Characters that browsers percent-encode in a URL. */
const CODED = /[\s"<>`]/g;

/** How an allowed URL begins. Excludes URLs that browsers could resolve to another host than the visible one. */
const BEGINNING = /^(?:https?:\/\/[^/]|mailto:.|\/(?!\/))/i;

/** The URL that an article may link to: http, https, mailto, our paths; wrappers removed. Null for others. Idempotent. */
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
