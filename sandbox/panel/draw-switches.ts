import type { WebhookFault } from '../discord/webhook';
import type { MailFault } from '../mail/mail-fault';
import type { PushFault } from '../push/push';
import type { ScrappeyFault } from '../scrappey/scrappey-fault';
import type { ShopRequest, ShopState } from '../shop/shop';
import { SHOP_MODE_NAMES, SHOP_MODES } from '../shop/shop-mode';
import type { DeliveryFault } from '../stripe/events/delivery-fault';
import type { ApiFault } from '../stripe/rest/api-fault';
import { clock } from './draw-message';
import { html, type Html } from '../html';

const GROUPS = [
  { group: 'open', title: 'The shop' },
  { group: 'room', title: 'Waiting rooms' },
  { group: 'wall', title: 'Walls' },
  { group: 'fault', title: 'Faults' },
] as const;

const SHOWN_VISITS = 8;

/** The shop's current mode, the buttons that change it, and its last visits. */
export function drawShop(state: ShopState, requests: readonly ShopRequest[]): Html {
  const { next, stepsLeft } = state;
  const { label, about, group } = SHOP_MODES[next.mode];
  const extras = [
    next.delayMs ? `after ${next.delayMs} ms` : '',
    next.large ? 'large page' : '',
    stepsLeft > 1 ? `${stepsLeft - 1} more steps of a script to come` : '',
  ].filter((text) => text !== '');
  return html`<section class="card shop" aria-labelledby="shop-title">
    <div id="shop-now" data-live>
      <h2 id="shop-title">The shop shows… <span class="state ${group}">${label}</span></h2>
      <p class="soft">${sentence([about, ...extras])} <a href="/shop/en-gb">Open the shop</a></p>
    </div>
    <form method="post" action="/control/shop">
      <input type="hidden" name="_method" value="PUT" />
      <div id="shop-modes" class="pockets" data-live>${GROUPS.map((one) => drawGroup(one, next.mode))}</div>
      <p class="with">
        <label
          >Answer after
          <input name="delayMs" type="number" min="0" max="600000" step="1" inputmode="numeric" /> ms</label
        >
        <label><input name="large" type="checkbox" value="true" /> Large page (600 KB)</label>
      </p>
    </form>
    <div id="shop-visits" data-live>${drawVisits(requests, state.requestCount)}</div>
  </section>`;
}

function sentence(parts: readonly string[]): string {
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function drawGroup({ group, title }: (typeof GROUPS)[number], current: string): Html {
  const buttons = SHOP_MODE_NAMES.filter((mode) => SHOP_MODES[mode].group === group).map(
    (mode) =>
      html`<button
        id="mode-${mode}"
        name="mode"
        value="${mode}"
        title="${SHOP_MODES[mode].about}"
        aria-pressed="${String(mode === current)}"
      >
        ${SHOP_MODES[mode].label}
      </button>`,
  );
  return html`<fieldset class="pocket ${group}">
    <legend>${title}</legend>
    ${buttons}
  </fieldset>`;
}

function drawVisits(requests: readonly ShopRequest[], count: number): Html {
  if (count === 0) return html`<p class="empty">The shop has had no visits yet.</p>`;
  const rows = requests
    .slice(-SHOWN_VISITS)
    .reverse()
    .map(
      (visit) =>
        html`<tr>
          <td>${clock(visit.receivedAt)}</td>
          <td>${SHOP_MODES[visit.mode].label}</td>
          <td class="number">
            ${visit.answeredAt === null ? 'no answer' : `${Math.round(visit.answeredAt - visit.receivedAt)} ms`}
          </td>
          <td class="agent">${visit.userAgent ?? 'no user agent'}</td>
        </tr>`,
    );
  return html`<details id="visits">
    <summary>${count} ${count === 1 ? 'visit' : 'visits'}</summary>
    <div class="scroll" tabindex="0" role="region" aria-label="Visits">
      <table>
        <thead>
          <tr>
            <th>At</th>
            <th>Was shown</th>
            <th>Took</th>
            <th>User agent</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
  </details>`;
}

interface Preset<F> {
  label: string;
  faults: F[];
}

const WEBHOOK_PRESETS: Preset<WebhookFault>[] = [
  { label: '429 for 2.5 s', faults: [{ kind: 'status', status: 429, retryAfter: 2.5 }] },
  { label: '500 three times', faults: [{ kind: 'status', status: 500, count: 3 }] },
  { label: '400 once', faults: [{ kind: 'status', status: 400 }] },
  {
    label: '404 for good',
    faults: [{ kind: 'status', status: 404, persistent: true, on: ['GET', 'POST', 'PATCH', 'DELETE'] }],
  },
  { label: '5 s late', faults: [{ kind: 'delay', ms: 5_000 }] },
  { label: 'Never answer', faults: [{ kind: 'hang' }] },
  { label: 'Accept, then cut', faults: [{ kind: 'reset', accept: true }] },
];

const SCRAPPEY_PRESETS: Preset<ScrappeyFault>[] = [
  { label: 'Overloaded (0001)', faults: [{ kind: 'code', code: '0001' }] },
  { label: 'Blocked (0002)', faults: [{ kind: 'code', code: '0002' }] },
  { label: 'Not verified', faults: [{ kind: 'unverified' }] },
  { label: 'No JSON', faults: [{ kind: 'garbage' }] },
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: 'Never answer', faults: [{ kind: 'hang' }] },
];

const MAIL_PRESETS: Preset<MailFault>[] = [
  { label: 'Later (451)', faults: [{ code: 451 }] },
  { label: 'Never (550)', faults: [{ code: 550 }] },
  { label: 'Closing (421)', faults: [{ code: 421 }] },
  { label: 'Refuse recipient', faults: [{ code: 550, at: 'recipient' }] },
  { label: '2 s late', faults: [{ delayMs: 2_000 }] },
  {
    label: 'One in ten never, one late',
    faults: [
      { code: 550, at: 'recipient', share: [0, 0.1], persistent: true },
      { delayMs: 2_000, at: 'recipient', share: [0.1, 0.2], persistent: true },
    ],
  },
];

const PUSH_PRESETS: Preset<PushFault>[] = [
  { label: 'Gone (410)', faults: [{ kind: 'gone', status: 410 }] },
  { label: '429 for 2 s', faults: [{ kind: 'status', status: 429, retryAfter: 2 }] },
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: '5 s late', faults: [{ kind: 'delay', ms: 5_000 }] },
  { label: 'Never answer', faults: [{ kind: 'hang' }] },
];

const STRIPE_PRESETS: Preset<ApiFault>[] = [
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: '429 once', faults: [{ kind: 'status', status: 429 }] },
  { label: '3 s late', faults: [{ kind: 'delay', ms: 3_000 }] },
  { label: 'Never answer', faults: [{ kind: 'hang' }] },
  { label: 'Cut the connection', faults: [{ kind: 'drop' }] },
  { label: 'Down until removed', faults: [{ kind: 'status', status: 503, persistent: true }] },
];

const DELIVERY_PRESETS: Preset<DeliveryFault>[] = [
  { label: 'Lose the next event', faults: [{ kind: 'drop' }] },
  { label: 'Lose all', faults: [{ kind: 'drop', persistent: true }] },
  { label: '30 s late', faults: [{ kind: 'delay', ms: 30_000 }] },
  { label: 'Send each twice', faults: [{ kind: 'duplicate', persistent: true }] },
  { label: 'Forge a signature', faults: [{ kind: 'forge' }] },
];

export function drawWebhookFaults(id: string, waiting: readonly WebhookFault[]): Html {
  return drawFaults(`webhook-${id}`, `/control/webhooks/${id}/faults`, WEBHOOK_PRESETS, waiting);
}

export function drawScrappeyFaults(waiting: readonly ScrappeyFault[]): Html {
  return drawFaults('scrappey', '/control/scrappey/faults', SCRAPPEY_PRESETS, waiting);
}

export function drawMailFaults(waiting: readonly MailFault[]): Html {
  return drawFaults('mail', '/control/smtp/faults', MAIL_PRESETS, waiting);
}

export function drawPushFaults(waiting: readonly PushFault[]): Html {
  return drawFaults('push', '/control/push/faults', PUSH_PRESETS, waiting);
}

export function drawStripeFaults(waiting: readonly ApiFault[]): Html {
  return drawFaults('stripe', '/control/stripe/faults', STRIPE_PRESETS, waiting, 'Faults of the API');
}

export function drawDeliveryFaults(waiting: readonly DeliveryFault[]): Html {
  return drawFaults(
    'stripe-events',
    '/control/stripe/webhooks/faults',
    DELIVERY_PRESETS,
    waiting,
    'Faults of events',
  );
}

/** Each button submits the same JSON that a test sends. */
function drawFaults<F extends object>(
  name: string,
  action: string,
  presets: readonly Preset<F>[],
  waiting: readonly F[],
  title = 'Faults',
): Html {
  const buttons = [...presets, { label: 'None', faults: [] }].map(
    ({ label, faults }, index) =>
      html`<button id="fault-${name}-${index}" name="faults" value="${JSON.stringify(faults)}">
        ${label}
      </button>`,
  );
  return html`<details id="faults-${name}">
    <summary>
      ${title}${waiting.length > 0 && html` <span class="state fault">${waiting.length} waiting</span>`}
    </summary>
    ${
      waiting.length > 0 &&
      html`<ul class="waiting">
        ${waiting.map((fault) => html`<li><code>${JSON.stringify(fault)}</code></li>`)}
      </ul>`
    }
    <form method="post" action="${action}" class="buttons">
      <input type="hidden" name="_method" value="PUT" />${buttons}
    </form>
  </details>`;
}
