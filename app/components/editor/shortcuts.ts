/** A key combined with Ctrl (Cmd on Apple). `code` is the physical key, because Shift and Alt change the character. */
export interface Shortcut {
  code: string;
  /** The key's name. */
  key: string;
  shift?: true;
  alt?: true;
}

export const SHORTCUTS = {
  bold: { code: 'KeyB', key: 'B' },
  italic: { code: 'KeyI', key: 'I' },
  underline: { code: 'KeyU', key: 'U' },
  strike: { code: 'KeyS', key: 'S', shift: true },
  strikeAlternative: { code: 'KeyX', key: 'X', shift: true },
  link: { code: 'KeyK', key: 'K' },
  paragraph: { code: 'Digit0', key: '0', alt: true },
  h1: { code: 'Digit1', key: '1', alt: true },
  h2: { code: 'Digit2', key: '2', alt: true },
  h3: { code: 'Digit3', key: '3', alt: true },
  number: { code: 'Digit7', key: '7', shift: true },
  bullet: { code: 'Digit8', key: '8', shift: true },
  quote: { code: 'Digit9', key: '9', shift: true },
  undo: { code: 'KeyZ', key: 'Z' },
  redo: { code: 'KeyY', key: 'Y' },
} satisfies Record<string, Shortcut>;

const isApple = () => /Mac|iPhone|iPad/.test(navigator.platform);

type Keys = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>;

/** Whether an event matches a shortcut. Letters match by character, for other layouts than QWERTY. */
export function matches(
  { code, key, shift, alt }: Shortcut,
  event: Keys & Pick<KeyboardEvent, 'key'>,
): boolean {
  const [held, other] = isApple() ? [event.metaKey, event.ctrlKey] : [event.ctrlKey, event.metaKey];
  if (!held || other || event.shiftKey !== (shift === true) || event.altKey !== (alt === true)) return false;
  return code.startsWith('Digit') ? event.code === code : event.key.toUpperCase() === key;
}

/** For display: `Ctrl+Shift+7`, `⌘⇧7`. */
export function shortcutLabel({ key, shift, alt }: Shortcut): string {
  if (isApple()) return `${alt === true ? '⌥' : ''}${shift === true ? '⇧' : ''}⌘${key}`;
  return ['Ctrl', ...(alt === true ? ['Alt'] : []), ...(shift === true ? ['Shift'] : []), key].join('+');
}

/** For `aria-keyshortcuts`. */
export function ariaShortcut({ key, shift, alt }: Shortcut): string {
  const held = isApple() ? 'Meta' : 'Control';
  return [held, ...(alt === true ? ['Alt'] : []), ...(shift === true ? ['Shift'] : []), key].join('+');
}
