/** A link a visitor can see. */
export interface PageLink {
  href: string;
  text: string;
  /** Inside navigation: a nav element, a menu role, a header, or a container named after one. */
  inNavigation: boolean;
  inFooter: boolean;
  /** Outside the page's frame (header, navigation, footer, dialogs): part of what this page is about. */
  isOwn: boolean;
}

/** A refresh by a meta element or a header. `url` is null when the page only reloads itself. */
export interface PageRefresh {
  seconds: number;
  url: string | null;
}

/** A parsed page, split so that each sign is searched for only where it is meaningful. */
export interface ParsedPage {
  format: 'html' | 'json' | 'text' | 'other' | 'empty';
  json: unknown;
  title: string;
  /** Visible headings of the first two levels. */
  headings: string[];
  /** All visible text; blocks end in a line break. */
  text: string;
  /**
   * Visible text and alternative texts that the page addresses to its visitor: no quotations, code, addresses, discussions
   * or long articles.
   */
  addressedText: string;
  /** Visible text outside the frame that all pages of the site share (header, navigation, footer, dialogs). */
  ownText: string;
  /** Number of headings outside that frame. They come first in `headings`. */
  ownHeadings: number;
  /** Whether a visible image is outside that frame. */
  hasOwnImage: boolean;
  /** Visible fields outside that frame. */
  ownFields: number;
  /** Whether one of them is for a password. */
  asksPassword: boolean;
  /** Number of visible posts of a discussion: comments, forum posts, answers. */
  posts: number;
  /** Whether the page shows its author, its time or breadcrumbs. */
  hasByline: boolean;
  links: PageLink[];
  /** Labels of visible buttons. */
  buttons: string[];
  hasSearch: boolean;
  /** Letters in visible article elements. */
  articleLength: number;
  /** Addresses of frames, as the browser would read them. */
  frames: string[];
  /** Text for browsers without frames. */
  frameFallback: string;
  scriptAddresses: string[];
  styleAddresses: string[];
  /** Inline scripts that a browser runs, without comments; no data blocks. */
  scripts: string[];
  refreshes: PageRefresh[];
  /** Addresses in data attributes: a room can store the address that it polls there. */
  dataAddresses: string[];
  /** Ids of elements, `data-pageid` values and attribute names that vendors use. */
  ids: Set<string>;
  classes: Set<string>;
  attributeNames: Set<string>;
  /** Values of data-pageid, the body's first. */
  pageIds: string[];
  formAddresses: string[];
}

/** An empty page, to be filled by the parser. */
export function emptyPage(format: ParsedPage['format']): ParsedPage {
  return {
    format,
    json: undefined,
    title: '',
    headings: [],
    text: '',
    addressedText: '',
    ownText: '',
    ownHeadings: 0,
    hasOwnImage: false,
    ownFields: 0,
    asksPassword: false,
    posts: 0,
    hasByline: false,
    links: [],
    buttons: [],
    hasSearch: false,
    articleLength: 0,
    frames: [],
    frameFallback: '',
    scriptAddresses: [],
    styleAddresses: [],
    scripts: [],
    refreshes: [],
    dataAddresses: [],
    ids: new Set(),
    classes: new Set(),
    attributeNames: new Set(),
    pageIds: [],
    formAddresses: [],
  };
}
