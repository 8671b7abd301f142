import type { ReactNode } from 'react';

/** The frame of every icon: 20 by 20 pixels, drawn in the text's colour, hidden from assistive technology. */
function Icon({ strokeWidth = 2, children }: { strokeWidth?: number; children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className="shrink-0"
    >
      {children}
    </svg>
  );
}

/** An icon of one path, drawn over `shape`. */
const icon = (path: string, shape?: ReactNode) => () => (
  <Icon>
    {shape}
    <path d={path} />
  </Icon>
);

export const OpenIcon = icon('M6.5 10.5 9 13l4.5-5.5', <circle cx="10" cy="10" r="7.5" />);
export const WaitingRoomIcon = icon(
  'M5 2.5h10M5 17.5h10M6 2.5c0 4.5 8 5.5 8 7.5s-8 3-8 7.5M14 2.5c0 2-.9 3.2-2.5 4.3M6 17.5c0-2 1-3.2 2.5-4.3',
);
export const UnknownIcon = icon(
  'M7 7.2a3 3 0 1 1 4.3 2.9c-.9.5-1.3 1-1.3 2M10 15.5v.1',
  <circle cx="10" cy="10" r="8" strokeDasharray="3 3.28" />,
);
export const PausedIcon = icon('M7 5v10M13 5v10');
export const MoonIcon = icon('M16 11.8A6.5 6.5 0 1 1 8.2 4a5.2 5.2 0 0 0 7.8 7.8Z');
export const OfflineIcon = icon(
  'M3 3l14 14M6 10.5a6 6 0 0 1 1.8-1.3M3 7.5a10 10 0 0 1 2-1.4M10 5c2.7 0 5.2 1 7 2.5M12.5 9.3c.6.3 1.1.7 1.5 1.2M10 15v.1',
);
export const SystemThemeIcon = icon('M7 16.5h6', <rect x="3" y="4" width="14" height="9" rx="1.5" />);
export const LightThemeIcon = icon(
  'M10 2.5v1.5M10 16v1.5M2.5 10H4M16 10h1.5M4.7 4.7l1 1M14.3 14.3l1 1M4.7 15.3l1-1M14.3 5.7l1-1',
  <circle cx="10" cy="10" r="3.2" />,
);
export const WarningIcon = icon('M10 3 2.5 16.5h15L10 3ZM10 8v4M10 14.4v.1');
export const ClockIcon = icon('M10 5.5V10l3 2', <circle cx="10" cy="10" r="7.5" />);
export const RetryIcon = icon('M16.5 10a6.5 6.5 0 1 1-2-4.700M16.500 3v3.500H13');
export const CloseIcon = icon('m5 5 10 10M15 5 5 15');
export const ChatIcon = icon(
  'M4.5 13.5 2.5 16V5a1.5 1.5 0 0 1 1.5-1.5h8A1.5 1.5 0 0 1 13.5 5v7a1.5 1.5 0 0 1-1.5 1.5H4.5ZM16 7.5a1.5 1.5 0 0 1 1.5 1.5v8.5L15.5 16H9',
);
export const ChevronIcon = icon('m6 8 4 4 4-4');
export const FeedIcon = icon('M4 4a12 12 0 0 1 12 12M4 9.5a6.5 6.5 0 0 1 6.5 6.5M5 15v.1');
export const MenuIcon = icon('M3 6h14M3 10h14M3 14h9');

export const PlayIcon = () => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className="fill-current">
    <path d="M7 4.8v10.4a.8.8 0 0 0 1.2.7l8-5.2a.8.8 0 0 0 0-1.4l-8-5.2a.8.8 0 0 0-1.2.7Z" />
  </svg>
);

/** Shown next to the name of an action in progress. */
export function Spinner() {
  return (
    <svg
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      aria-hidden="true"
      data-spinner
      className="shrink-0 animate-spin"
    >
      <circle cx="10" cy="10" r="7.5" opacity="0.3" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" />
    </svg>
  );
}

const drawn = (path: string) => (
  <Icon strokeWidth={1.8}>
    <path d={path} />
  </Icon>
);

const letter = (text: string, className = '') => (
  <span aria-hidden="true" className={`font-display text-[1.02rem] leading-none ${className}`}>
    {text}
  </span>
);

const heading = (level: number) => (
  <span aria-hidden="true" className="font-display text-[1.02rem] leading-none font-bold">
    H<span className="text-[0.72rem]">{level}</span>
  </span>
);

/** The icons of the article editor's toolbar. */
export const TOOLBAR_ICONS = {
  paragraph: drawn('M13 16V4M9.5 16V4M15 4H8.2a3.2 3.2 0 0 0 0 6.4h1.3'),
  h1: heading(1),
  h2: heading(2),
  h3: heading(3),
  bold: letter('B', 'font-extrabold'),
  italic: letter('I', 'italic font-semibold'),
  underline: letter('U', 'underline underline-offset-3 font-semibold'),
  strike: letter('S', 'line-through font-semibold'),
  bullet: drawn('M8 5h9M8 10h9M8 15h9M3.5 5v.1M3.5 10v.1M3.5 15v.1'),
  number: drawn(
    'M8.5 5H17M8.5 10H17M8.5 15H17M2.8 4.2 4 3.5v4M2.7 12.8c.3-1 2.3-1 2.3.2 0 .9-1.4 1.5-2.3 3H5.2',
  ),
  outdent: drawn('M17 4H3M17 16H3M17 8H9.500M17 12H9.500M5.8 7.5 3.3 10l2.5 2.5'),
  indent: drawn('M17 4H3M17 16H3M17 8H9.500M17 12H9.500M3.3 7.5 5.8 10l-2.5 2.5'),
  quote: drawn('M4 13.500c2-.6 3-1.9 3-4V6H3.500v4H7M12 13.500c2-.6 3-1.9 3-4V6h-3.500v4H15'),
  code: drawn('m7 6-4 4 4 4M13 6l4 4-4 4'),
  left: drawn('M3 4.500h14M3 8.200h9M3 11.800h14M3 15.500h9'),
  center: drawn('M3 4.500h14M5.5 8.200h9M3 11.800h14M5.5 15.500h9'),
  right: drawn('M3 4.500h14M8 8.200h9M3 11.800h14M8 15.500h9'),
  justify: drawn('M3 4.500h14M3 8.200h14M3 11.800h14M3 15.500h14'),
  link: drawn(
    'M8.5 11.500a3.5 3.5 0 0 0 5 0l2.5-2.500a3.5 3.5 0 0 0-5-5l-1 1M11.5 8.500a3.5 3.5 0 0 0-5 0L4 11a3.5 3.5 0 0 0 5 5l1-1',
  ),
  image: drawn(
    'M4 3.500h12a1 1 0 0 1 1 1v11a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-11a1 1 0 0 1 1-1ZM3 13.500l4-4 4 4 2-2 4 4M13 7.300v.1',
  ),
  undo: drawn('M7.5 4 4 7.5 7.5 11M4 7.500h7.500a4 4 0 0 1 0 8H8'),
  redo: drawn('M12.5 4 16 7.5 12.5 11M16 7.500H8.500a4 4 0 0 0 0 8H12'),
} as const;
