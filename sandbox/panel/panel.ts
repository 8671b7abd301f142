import { randomBytes } from 'node:crypto';
import { html, trusted, type Html } from '../html';
import { createApp, respondHtml, type App } from '../http/app';
import { drawDocument } from '../page';
import type { StandIns } from '../stand-ins';
import { drawChannels } from './draw-channels';
import { drawGuild } from './draw-guild';
import { drawMails } from './draw-mails';
import { drawButton } from './draw-parts';
import { drawProducts } from './draw-products';
import { drawPush } from './draw-push';
import { drawStripe } from './draw-stripe';
import { drawScrappey } from './draw-scrappey';
import { drawShop } from './draw-shop';
import { PANEL_SCRIPT } from './panel-script';

/** The page at the sandbox's root: what was received, and the controls. It also works without JavaScript. */
export function createPanel(standIns: StandIns): App {
  const app = createApp();
  app.get('/', () => {
    const nonce = randomBytes(16).toString('base64');
    return respondHtml(200, drawPanel(standIns, Date.now(), nonce).markup, {
      'cache-control': 'no-store',
      // The panel shows mails and alerts unmodified; nothing in them may run or load.
      'content-security-policy': `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'nonce-${nonce}'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });
  return app;
}

function drawPanel(
  { changes, shop, discord, guild, scrappey, mails, push, stripe }: StandIns,
  now: number,
  nonce: string,
): Html {
  return drawDocument({
    title: 'Packwatch sandbox',
    body: html`<body data-revision="${changes.revision()}">
      <header>
        <div class="wrap">
          <h1>Packwatch sandbox</h1>
          <p class="soft">Stand-ins for external services. Nothing leaves this machine.</p>
          <a class="button" href="/">Refresh</a>
          ${drawButton('reset', 'reset', 'Reset everything')}
        </div>
      </header>
      <main class="wrap">
        ${drawShop(shop.state(), shop.requests())} ${drawProducts(shop.products)}
        ${drawChannels(discord, now)} ${drawGuild(guild)} ${drawStripe(stripe)}
        <div class="pair">${drawMails(mails.list(), mails.faults())} ${drawPush(push)}</div>
        ${drawScrappey(scrappey)}
      </main>
      <script nonce="${nonce}">
        ${trusted(PANEL_SCRIPT)};
      </script>
    </body>`,
  });
}
