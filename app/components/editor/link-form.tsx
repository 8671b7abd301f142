import { $createLinkNode, $toggleLink } from '@lexical/link';
import { $createTextNode, $getSelection, $insertNodes, $isRangeSelection, type LexicalEditor } from 'lexical';
import { useState } from 'react';
import { typedHref } from '#shared/news/article-html/article-links';
import { Drawer, DrawerButton, DrawerField } from './drawer';
import { $ensureSelection, $linkAt } from './editor-actions';

const WRONG_ADDRESS = 'Enter a web address, an email address, or a path on this site that begins with /.';

/** What the selection contains: a link to change, text to link, or nothing. */
function readPlace(editor: LexicalEditor): { href: string; hasWords: boolean } {
  return editor.read(() => {
    const selection = $getSelection();
    const link = $linkAt(selection);
    const hasWords = link !== null || (selection !== null && !selection.isCollapsed?.());
    return { href: link?.getURL() ?? '', hasWords };
  });
}

export function LinkForm({ editor, onClose }: { editor: LexicalEditor; onClose: () => void }) {
  const [place] = useState(() => readPlace(editor));
  const [address, setAddress] = useState(place.href);
  const [words, setWords] = useState('');
  const [wrong, setWrong] = useState(false);

  const finish = (change: () => void) => {
    editor.update(() => {
      $ensureSelection();
      change();
    });
    onClose();
  };

  const apply = () => {
    const href = typedHref(address);
    if (href === null) {
      setWrong(true);
      return;
    }
    finish(() => {
      const selection = $getSelection();
      const link = $linkAt(selection);
      if (link !== null) link.setURL(href);
      else if ($isRangeSelection(selection) && selection.isCollapsed()) {
        const text = $createTextNode(words.trim() === '' ? address.trim() : words.trim());
        text.setFormat(selection.format);
        $insertNodes([$createLinkNode(href).append(text)]);
      } else $toggleLink(href);
    });
  };

  return (
    <Drawer title="Link" onClose={onClose}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <DrawerField
          label="Link address"
          value={address}
          first
          inputMode="url"
          error={wrong ? WRONG_ADDRESS : null}
          onChange={(value) => {
            setAddress(value);
            setWrong(false);
          }}
          onEnter={apply}
        />
        {place.hasWords ? null : (
          <DrawerField label="Text to display" value={words} onChange={setWords} onEnter={apply} />
        )}
        <div className="flex flex-wrap gap-2 sm:pt-6.5">
          <DrawerButton primary onClick={apply}>
            {place.href === '' ? 'Add link' : 'Change link'}
          </DrawerButton>
          {place.href === '' ? null : (
            <DrawerButton onClick={() => finish(() => $toggleLink(null))}>Remove link</DrawerButton>
          )}
          <DrawerButton onClick={onClose}>Cancel</DrawerButton>
        </div>
      </div>
    </Drawer>
  );
}
