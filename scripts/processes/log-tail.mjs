const FIRST_LINES = 10;
const LAST_LINES = 40;
const LONGEST_LINE = 2_000;

/** Keeps the beginning, which often names the cause, and the end (`lastLines`) of a stream of text. */
export function createTail(lastLines = LAST_LINES) {
  const first = [];
  let last = [];
  let left = 0;
  let open = '';

  function keep(line) {
    if (first.length < FIRST_LINES) first.push(line);
    else last.push(line);
    if (last.length <= lastLines) return;
    left += last.length - lastLines;
    last = last.slice(-lastLines);
  }

  return {
    add(text) {
      const parts = (open + text).split('\n');
      open = (parts.pop() ?? '').slice(-LONGEST_LINE);
      for (const line of parts) keep(line.slice(0, LONGEST_LINE));
    },
    text: () =>
      [...first, ...(left === 0 ? [] : [`… ${left} lines …`]), ...last, ...(open === '' ? [] : [open])].join(
        '\n',
      ),
  };
}
