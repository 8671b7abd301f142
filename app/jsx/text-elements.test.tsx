import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';

const html = (node: ReactNode) => renderToStaticMarkup(node);
const absent = null as ReactNode;

function Box({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div>
      {icon}
      {children}
    </div>
  );
}

it.each<[string, ReactNode, string]>([
  ['a text alone stays the content of its element', <p key="">Saved</p>, '<p>Saved</p>'],
  ['texts without other children are one text', <p key="">Seen {3} times</p>, '<p>Seen 3 times</p>'],
  [
    'a text beside an element has its own',
    <p key="">
      Edit <b>it</b>
    </p>,
    '<p><span>Edit </span><b>it</b></p>',
  ],
  ['a text beside an absent child has its own', <p key="">Edit{absent}</p>, '<p><span>Edit</span></p>'],
  [
    'adjacent texts share one',
    <p key="">
      <b>a</b> {1} of {absent}
      {2}
    </p>,
    '<p><b>a</b><span> 1 of 2</span></p>',
  ],
  [
    'the text of a component is separate from the elements that the component adds',
    <Box key="" icon={<i />}>
      Save {2}
    </Box>,
    '<div><i></i><span>Save 2</span></div>',
  ],
  ['the text of a fragment has its own', <>Hello</>, '<span>Hello</span>'],
  [
    'blank text stays',
    <p key="">
      <b>a</b> <b>b</b>
    </p>,
    '<p><b>a</b> <b>b</b></p>',
  ],
  [
    'an option keeps plain text',
    <option key="">
      No. {1}
      {absent}
    </option>,
    '<option>No. 1</option>',
  ],
  [
    'no text, no element',
    <p key="">
      {absent}
      {false}
    </p>,
    '<p></p>',
  ],
])('%s', (_name, node, expected) => {
  expect(html(node)).toBe(expected);
});
