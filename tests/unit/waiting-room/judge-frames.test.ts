import { describe, expect, test } from 'vitest';
import { judgePage } from '../../../daemon/waiting-room/judge-page';
import { answerWith } from './judging-cases';
import { divFrame, plainFrame, shopPage, themeFrame } from './site-pages';

const FRAMES = { themeFrame, plainFrame, divFrame, shopPage };

const WALLS: Readonly<Record<string, string>> = {
  HUMAN: '<div id="px-captcha"></div>',
  'HUMAN with its text':
    '<h1>Access to this page has been denied</h1><p>because we believe you are using automation tools to browse the website. This may happen as a result of the following: Javascript is disabled or blocked by an extension. Your browser does not support cookies. Please make sure that they are enabled.</p><div id="px-captcha"></div><p>Reference ID: #0a1b2c3d</p>',
  DataDome: '<iframe src="https://geo.captcha-delivery.com/captcha/?initialCid=A"></iframe>',
  Cloudflare:
    '<h1>Just a moment…</h1><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1"></script>',
  'Cloudflare’s block':
    '<div id="cf-error-details"><h1>Sorry, you have been blocked</h1><p>You are unable to access this shop.</p></div>',
  Imperva:
    '<iframe src="/_Incapsula_Resource?SWUDNSAI=31&edet=12">Request unsuccessful. Incapsula incident ID: 1010000072372681347-139</iframe>',
  'Akamai’s denial':
    '<h1>Access Denied</h1><p>You don’t have permission to access this page. Reference #18.8531002.1763720000.1a2b3c4d</p>',
  'Akamai’s check': '<div id="sec-if-cpt-container"></div>',
  AWS: '<script>window.gokuProps={"key":"A"};</script><div id="challenge-container"></div>',
  Kasada: '<script>window.KPSDK={};KPSDK.now=1</script>',
  'its own check': '<h1>Are you a human?</h1><p>Tick the box to go on.</p><div class="h-captcha"></div>',
  'its own check without a heading': '<div class="g-recaptcha"></div><button>Continue</button>',
  'its own refusal': '<h1>Your request has been blocked</h1><p>It looks automated.</p>',
  nothing: '',
  'a spinner': '<div class="spinner"></div>',
  'the word loading': '<p>Loading…</p>',
  'an appeal for scripts': '<p>Please enable JavaScript to continue.</p>',
  maintenance: '<h1>We’ll be back soon</h1><p>We are doing some maintenance.</p>',
  'an error': '<h1>Something went wrong</h1><p>Please try again.</p>',
  'an error without a heading': '<p>An unexpected error has occurred.</p>',
};

const CONTENTS: Readonly<Record<string, string>> = {
  products: '<h1>New</h1><a href="/p/1">Pin</a> £5.00 <a href="/p/2">Cap</a> £18.00',
  'one product': '<h1>Pin</h1><p>£5.00</p><button>Add to basket</button>',
  'an empty category': '<h1>Pins</h1><p>Nothing here yet.</p>',
  'search results': '<h1>2 results for “bear”</h1><a href="/p/1">Bruno</a> <a href="/p/2">Berta</a>',
  'no results': '<h1>No results for “beer”</h1><p>Check the spelling or try another word.</p>',
  'a basket': '<h1>Your basket</h1><p>Pin £5.00</p><a href="/checkout">Checkout</a>',
  'an empty basket': '<h1>Your basket is empty</h1>',
  'a sign-in':
    '<h1>Sign in</h1><form><input type="email"><input type="password"><div class="h-captcha"></div><button>Sign in</button></form>',
  'an article':
    '<article><h1>How bears are made</h1><p>First somebody draws them, then somebody sews them, and in the end they are hugged.</p></article>',
  questions:
    '<h1>Questions</h1><h2>How long does delivery take?</h2><p>Two days.</p><h2>Is there a queue?</h2><p>At launches you may be placed in a virtual queue.</p>',
  images: '<img src="/1.jpg" alt="A bear"><img src="/2.jpg" alt="Another bear">',
  'a film called like a wall': '<h1>Access Denied (DVD)</h1><p>£5.00</p><button>Add to basket</button>',
  'a sensor':
    '<h1>New</h1><p>Every week.</p><script src="/_Incapsula_Resource?SWJIYLWA=719"></script><script src="https://js.datadome.co/tags.js"></script><script>window._pxAppId="PX1"</script>',
};

describe('a page between the header and footer of a shop', () => {
  for (const [name, frame] of Object.entries(FRAMES)) {
    for (const [wall, body] of Object.entries(WALLS)) {
      test(`${wall} is not the shop (${name})`, () => {
        const judgement = judgePage(answerWith(frame(body)));
        expect(judgement.verdict, JSON.stringify(judgement, null, 1)).toBe('unknown');
      });
    }
    for (const [content, body] of Object.entries(CONTENTS)) {
      test(`${content}: the shop is open (${name})`, () => {
        const judgement = judgePage(answerWith(frame(body)));
        expect(judgement.verdict, JSON.stringify(judgement, null, 1)).toBe('open');
      });
    }
  }
});
