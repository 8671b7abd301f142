import { Icon } from '~/components/ui/icons';

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
