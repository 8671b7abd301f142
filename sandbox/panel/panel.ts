import { randomBytes } from 'node:crypto';
import { respondHtml, createApp, type App } from '../http/app';
import type { Scrappey } from '../scrappey/scrappey';
import type { StandIns } from '../stand-ins';
import { drawChannels } from './draw-channels';
import { drawMails } from './draw-mails';
import { clock } from './draw-message';
import { drawPush } from './draw-push';
import { drawStripe } from './draw-stripe';
import { drawScrappeyFaults, drawShop } from './draw-switches';
import { html, trusted, type Html } from '../html';
import { PANEL_SCRIPT } from './panel-script';
import { PANEL_STYLE } from './panel-style';

const SHOWN_CALLS = 8;

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
  { changes, shop, discord, scrappey, mails, push, stripe }: StandIns,
  now: number,
  nonce: string,
): Html {
  return html`<!DOCTYPE html>
    <html lang="en-GB">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Packwatch sandbox</title>
        <link rel="icon" href="data:," />
        <style>
          ${trusted(PANEL_STYLE)}
        </style>
      </head>
      <body data-revision="${changes.revision()}">
        <header>
          <div class="wrap">
            <h1>Packwatch sandbox</h1>
            <p class="soft">Stand-ins for external services. Nothing leaves this machine.</p>
            <a class="button" href="/">Refresh</a>
            <form method="post" action="/control/reset"><button id="reset">Reset everything</button></form>
          </div>
        </header>
        <main class="wrap">
          ${drawShop(shop.state(), shop.requests())} ${drawChannels(discord, now)} ${drawStripe(stripe)}
          <div class="pair">${drawMails(mails.list(), mails.faults())} ${drawPush(push)}</div>
          ${drawScrappey(scrappey)}
        </main>
        <script nonce="${nonce}">
          ${trusted(PANEL_SCRIPT)};
        </script>
      </body>
    </html>`;
}

function drawScrappey(scrappey: Scrappey): Html {
  const requests = scrappey.requests();
  const rows = requests
    .slice(-SHOWN_CALLS)
    .reverse()
    .map(
      (call) =>
        html`<tr>
          <td>${clock(call.receivedAt)}</td>
          <td>${call.cmd}</td>
          <td>${call.data ?? call.status ?? 'no answer'}</td>
          <td class="agent">${call.url}</td>
        </tr>`,
    );
  return html`<section class="card" id="scrappey" data-live aria-labelledby="scrappey-title">
    <h2 id="scrappey-title">Scrappey <span class="count">${requests.length}</span></h2>
    ${
      rows.length === 0
        ? html`<p class="empty">Nothing has been fetched through Scrappey.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Calls">
            <table>
              <thead>
                <tr>
                  <th>At</th>
                  <th>Command</th>
                  <th>Answer</th>
                  <th>Address</th>
                </tr>
              </thead>
              <tbody>
                ${rows}
              </tbody>
            </table>
          </div>`
    }
    ${drawScrappeyFaults(scrappey.faults())}
  </section>`;
}
