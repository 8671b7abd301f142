import { $getNodeByKey, SKIP_DOM_SELECTION_TAG, type LexicalEditor, type NodeKey } from 'lexical';
import { useState } from 'react';
import { Drawer, DrawerButton, DrawerField } from './drawer';
import { $isImageNode } from './image-node';

/** Edits an image's alternative text as it is typed, or removes the image. */
export function ImageForm({
  editor,
  nodeKey,
  onClose,
}: {
  editor: LexicalEditor;
  nodeKey: NodeKey;
  onClose: () => void;
}) {
  const [alt, setAlt] = useState(() =>
    editor.read(() => {
      const node = $getNodeByKey(nodeKey);
      return $isImageNode(node) ? node.getAlt() : '';
    }),
  );
  const change = (value: string) => {
    setAlt(value);
    editor.update(
      () => {
        const node = $getNodeByKey(nodeKey);
        if ($isImageNode(node)) node.setAlt(value);
      },
      { tag: SKIP_DOM_SELECTION_TAG },
    );
  };
  const remove = () => {
    editor.update(() => {
      const node = $getNodeByKey(nodeKey);
      if (!$isImageNode(node)) return;
      node.selectPrevious();
      node.remove();
    });
    onClose();
  };
  return (
    <Drawer title="Image" onClose={onClose}>
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <DrawerField
          label="Alternative text"
          hint="Describe the image for people who cannot see it."
          value={alt}
          first
          onChange={change}
          onEnter={onClose}
        />
        <div className="flex flex-wrap gap-2 sm:pt-6.5">
          <DrawerButton primary onClick={onClose}>
            Done
          </DrawerButton>
          <DrawerButton onClick={remove}>Remove image</DrawerButton>
        </div>
      </div>
    </Drawer>
  );
}
