import { html, type Html } from '../html';
import type { ShopRequest, ShopState } from '../shop/shop';
import { SHOP_MODE_NAMES, SHOP_MODES } from '../shop/shop-mode';
import { count, drawTable, drawTime, newest } from './draw-parts';

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
          >Respond after
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

function drawVisits(requests: readonly ShopRequest[], visits: number): Html {
  if (visits === 0) return html`<p class="empty">The shop has had no visits yet.</p>`;
  const rows = newest(requests, SHOWN_VISITS).map(
    ({ receivedAt, answeredAt, mode, userAgent }) =>
      html`<tr>
        <td>${drawTime(receivedAt)}</td>
        <td>${SHOP_MODES[mode].label}</td>
        <td class="number">
          ${answeredAt === null ? 'no response' : `${Math.round(answeredAt - receivedAt)} ms`}
        </td>
        <td class="agent">${userAgent ?? 'no user agent'}</td>
      </tr>`,
  );
  return html`<details id="visits">
    <summary>${count(visits, 'visit')}</summary>
    ${drawTable('Visits', ['At', 'Was shown', 'Took', 'User agent'], rows)}
  </details>`;
}
