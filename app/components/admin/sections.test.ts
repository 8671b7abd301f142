import { describe, expect, it } from 'vitest';
import { ADMIN_SECTIONS, sectionBeside, sectionIndexAt, setNumberOf } from './sections';

describe('the carousel of admin sections', () => {
  it('finds the section of a path and of the pages below it', () => {
    expect(sectionIndexAt('/dashboard/site-settings')).toBe(0);
    expect(sectionIndexAt('/dashboard/articles/new')).toBe(4);
    expect(sectionIndexAt('/dashboard')).toBe(-1);
    expect(sectionIndexAt('/dashboard/articles-of-old')).toBe(-1);
  });

  it('wraps around at both ends', () => {
    expect(sectionBeside(5, 1).name).toBe('Site Settings');
    expect(sectionBeside(0, -1).name).toBe('Pokemon Center Monitor');
    expect(sectionBeside(2, 1).name).toBe('Hero Tracking Images');
  });

  it('numbers the sections as a set of cards', () => {
    expect(ADMIN_SECTIONS.map((_, index) => setNumberOf(index))).toEqual([
      '1/6',
      '2/6',
      '3/6',
      '4/6',
      '5/6',
      '6/6',
    ]);
  });
});
