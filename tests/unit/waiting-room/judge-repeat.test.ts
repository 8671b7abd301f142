import { describe, expect, test } from 'vitest';
import { decideTransition, type BeforeCheck } from '#shared/monitor/checks/recording/decide-transition';
import { SECOND } from '#shared/clock';
import type { PageAnswer } from '#shared/monitor/checks/verdict';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import { answerWith, bare, ROOM_WORDS } from './judging-cases';
import { plainFrame } from './site-pages';

/** The words of a waiting room as paragraphs of another text. */
const QUOTED = ROOM_WORDS.replaceAll('h1>', 'p>');

/** The actions of a check and of its confirmation ten seconds later, both with the same page. */
function checkTwice(answer: PageAnswer): string[] {
  const before: BeforeCheck = { alert: { kind: 'none' }, weakForMs: null, opensInRow: 0, mayOpen: true };
  const first = decideTransition(before, judgePage(answer));
  const weakForMs = first.weak === 'begin' ? 10 * SECOND : null;
  return [first.action, decideTransition({ ...before, weakForMs }, judgePage(answer)).action];
}

describe('a second check of the same page', () => {
  test('confirms a room that addresses its visitor', () => {
    expect(checkTwice(answerWith(bare(ROOM_WORDS)))).toEqual(['recheck', 'open']);
  });

  const quoting: ReadonlyArray<readonly [where: string, body: string]> = [
    [
      'an article without a site around it',
      bare(`<article><h1>A long night</h1><p>My screen said:</p>${QUOTED}</article>`),
    ],
    [
      'an article of the site',
      plainFrame(`<article><h1>A long night</h1><p>My screen said:</p>${QUOTED}</article>`),
    ],
    ['a quotation', bare(`<p>They write:</p><blockquote>${ROOM_WORDS}</blockquote>`)],
    ['a quotation within an article', bare(`<article><blockquote>${ROOM_WORDS}</blockquote></article>`)],
    [
      'a quotation in quotation marks',
      bare('<p>“Hello! You are now in line. Please keep this page open.”</p>'),
    ],
    ['comments', bare(`<div class="comment">${ROOM_WORDS}</div><div class="comment">Mine, too.</div>`)],
    ['a review', bare(`<div itemprop="reviewBody">${ROOM_WORDS}</div>`)],
    ['an explanation', bare(`<h1>How the queue works</h1>${QUOTED}`)],
    ['a chat', bare(`<div class="chat-window">${ROOM_WORDS}</div>`)],
  ];
  for (const [where, body] of quoting) {
    test(`confirms nothing about the words in ${where}`, () => {
      expect(checkTwice(answerWith(body))).toEqual(['none', 'none']);
    });
  }
});
