import { Drawer, DrawerButton } from './drawer';
import { SHORTCUTS, spokenShortcut } from './shortcuts';

function rows(): [string, string][] {
  const spoken = (name: keyof typeof SHORTCUTS) => spokenShortcut(SHORTCUTS[name]);
  return [
    ['Bold, italic, underline', [spoken('bold'), spoken('italic'), spoken('underline')].join(', ')],
    ['Strikethrough', `${spoken('strike')} or ${spoken('strikeToo')}`],
    ['Link', spoken('link')],
    ['Headings 1 to 3', [spoken('h1'), spoken('h2'), spoken('h3')].join(', ')],
    ['Paragraph', spoken('paragraph')],
    ['Numbered list, bulleted list', [spoken('number'), spoken('bullet')].join(', ')],
    ['Quote', spoken('quote')],
    ['Indent or outdent a list item', 'Tab, Shift+Tab'],
    ['New line in the same paragraph', 'Shift+Enter'],
    ['Undo, redo', [spoken('undo'), spoken('redo')].join(', ')],
    ['Paste without formatting', spokenShortcut({ code: 'KeyV', key: 'V', shift: true })],
    ['Describe the selected image', 'Enter'],
    ['Move to the toolbar', 'Alt+F10'],
    ['Leave the editor', 'Esc, then Tab'],
  ];
}

export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Drawer title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid gap-x-8 gap-y-1 text-small sm:grid-cols-2">
        {rows().map(([what, keys]) => (
          <div key={what} className="flex justify-between gap-3 border-b border-line py-1">
            <dt>{what}</dt>
            <dd className="text-right font-semibold">{keys}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3" data-first tabIndex={-1}>
        <DrawerButton onClick={onClose}>Close</DrawerButton>
      </div>
    </Drawer>
  );
}
