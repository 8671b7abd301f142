/**
 * Numbers the headings of a text that a page shows below a heading of level `above`. Returns a function that takes the
 * written level of each heading, in reading order, and returns its level on the page: no level is left out, whichever
 * level the text begins with. Screen readers list the headings of a page by level (WCAG 2.2, technique G141).
 */
export function createHeadingLevels(above: number): (written: number) => number {
  // The written levels of the headings that this heading is below.
  const open: number[] = [];
  return (written) => {
    while ((open.at(-1) ?? 0) >= written) open.pop();
    open.push(written);
    return Math.min(above + open.length, 6);
  };
}
