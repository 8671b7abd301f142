import { describe, expect, test } from 'vitest';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import { answerWith, bare } from './judging-cases';
import { ROOM_TEXTS } from './room-texts';
import { divFrame, plainFrame, shopPage, themeFrame } from './site-pages';

type Texts = readonly string[];
const FRAMES = { bare, themeFrame, plainFrame, divFrame, shopPage };
const paragraphs = (texts: Texts): string => texts.map((text) => `<p>${text}</p>`).join('');
const headed = ([heading, ...lines]: Texts): string => `<h1>${heading}</h1>${paragraphs(lines)}`;

/** Ways in which the texts are the page's own. */
const SAYING: Readonly<Record<string, (texts: Texts) => string>> = {
  'below its heading': headed,
  'below a greeting': (texts) => headed(['Hi, Trainer!', ...texts]),
  'in its heading and one line': (texts) => headed(texts.slice(0, 2)),
};

const INTRODUCTION =
  '<p>Last week we asked our readers what they had seen on their screens that morning.</p>';

/** Ways in which the texts are on a page but not its own. */
const QUOTING: Readonly<Record<string, (texts: Texts) => string>> = {
  'in an article': (texts) =>
    `<article><h1>News of the week</h1>${INTRODUCTION}${paragraphs(texts)}</article>`,
  'in a quotation': (texts) => `<h1>News</h1>${INTRODUCTION}<blockquote>${headed(texts)}</blockquote>`,
  'in comments': (texts) =>
    `<h1>News</h1>${INTRODUCTION}<div class="comment">${paragraphs(texts)}</div><div class="comment">Mine, too.</div>`,
  'in a chat': (texts) =>
    `<h1>Contact</h1>${INTRODUCTION}<div class="chat-window">${paragraphs(texts)}</div>`,
  'in a transparent overlay': (texts) =>
    `<h1>News</h1>${INTRODUCTION}<div style="position:fixed;opacity:0">${headed(texts)}</div>`,
  'in a hidden dialog': (texts) => `<h1>News</h1>${INTRODUCTION}<dialog>${headed(texts)}</dialog>`,
};

describe('every text of a room', () => {
  for (const [way, say] of Object.entries(SAYING)) {
    for (const [name, frame] of Object.entries(FRAMES)) {
      test(`is a room ${way}, whatever the status (${name})`, () => {
        const missed = ROOM_TEXTS.flatMap(([language, ...texts]) =>
          [200, 429, 503]
            .filter(
              (status) => judgePage(answerWith(frame(say(texts)), { status })).verdict !== 'waiting_room',
            )
            .map((status) => `${language}, ${status}`),
        );
        expect(missed).toEqual([]);
      });
    }
  }

  for (const [way, quote] of Object.entries(QUOTING)) {
    for (const [name, frame] of Object.entries(FRAMES)) {
      test(`is no room ${way} (${name})`, () => {
        // Without a site around it such a page is unknown; with one it is a page of the open shop.
        const wrong = ROOM_TEXTS.map(([language, ...texts]) => ({
          language,
          verdict: judgePage(answerWith(frame(quote(texts)))).verdict,
        })).filter(({ verdict }) => verdict !== (name === 'bare' ? 'unknown' : 'open'));
        expect(wrong).toEqual([]);
      });
    }
  }
});
