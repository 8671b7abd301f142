import { expect, it } from 'vitest';
import { signName } from '~/components/monitor/check/sign-names';
import { SIGN_IDS } from '../../../daemon/waiting-room/judge-page';

it('every sign has a name in plain words', () => {
  const asWords = (id: string) => id.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  expect(SIGN_IDS.length).toBeGreaterThan(50);
  expect(SIGN_IDS.filter((id) => signName(id) === asWords(id))).toEqual([]);
  expect(signName('a-rule-of-last-year')).toBe('A rule of last year');
});
