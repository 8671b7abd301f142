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

/** An order to move on, from a meta element. `url` is null when the page only reloads itself. */
export interface PageRefresh {
  seconds: number;
  url: string | null;
}

/** A page taken apart, so that every sign is looked for where it means something. */
export interface ParsedPage {
  format: 'html' | 'json' | 'text' | 'other' | 'empty';
  json: unknown;
  title: string;
  /** Visible headings of the first two levels. */
  headings: string[];
  /** All visible text; blocks end in a line break. */
  text: string;
  /**
   * Visible text and alternative texts in which the page itself speaks to the visitor: no quotations, code,
   * addresses, discussions or long articles.
   */
  spoken: string;
  /** Visible text outside the frame that all pages of the site share (header, navigation, footer, dialogs). */
  ownText: string;
  /** How many of the headings, which come first, stand outside that frame. */
  ownHeadings: number;
  /** Whether that frame surrounds a visible picture. */
  hasOwnImage: boolean;
  /** Visible fields outside that frame. */
  ownFields: number;
  /** Visible contributions to a discussion: comments, posts of a forum, answers. */
  posts: number;
  /** Whether something visible says by whom or when the page was written, or where on the site it stands. */
  hasByline: boolean;
  links: PageLink[];
  /** What visible buttons say. */
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
  /** Addresses in data attributes: a room may keep the address it polls there. */
  dataAddresses: string[];
  /** Ids of elements, `data-pageid` values and attribute names that vendors use. */
  ids: Set<string>;
  classes: Set<string>;
  attributeNames: Set<string>;
  /** Values of data-pageid, the body's first. */
  pageIds: string[];
  formAddresses: string[];
}

/** A page in which nothing was found yet. */
export function emptyPage(format: ParsedPage['format']): ParsedPage {
  return {
    format,
    json: undefined,
    title: '',
    headings: [],
    text: '',
    spoken: '',
    ownText: '',
    ownHeadings: 0,
    hasOwnImage: false,
    ownFields: 0,
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
