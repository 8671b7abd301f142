import type { ReactNode } from 'react';

/** The frame of every icon: 20 by 20 pixels, drawn in the text's colour, hidden from assistive technology. */
export function Icon({ strokeWidth = 2, children }: { strokeWidth?: number; children: ReactNode }) {
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

/** An icon of one path, drawn over `shape`. Every page loads the icons of this file: one that a single part uses is drawn there. */
export const icon = (path: string, shape?: ReactNode) => () => (
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
export const CloseIcon = icon('m5 5 10 10M15 5 5 15');
export const ChevronIcon = icon('m6 8 4 4 4-4');
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
