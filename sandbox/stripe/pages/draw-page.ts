import { html, type Html } from '../../html';
import { drawDocument } from '../../page';
import { formatMoney } from '../format';

const PAGE_STYLE = `
main{max-width:560px}
.sandbox{padding:8px 14px;border-radius:10px;background:var(--wall-wash);color:var(--wall);font-size:.92rem}
.money{font-size:1.9rem;font-weight:650}
.lines{width:100%}.lines td:last-child,.lines th:last-child{text-align:right;padding-right:0}.lines td{white-space:normal}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:12px}.fields .wide{grid-column:1/-1}
.fields label{display:grid;gap:4px;align-items:start;font-weight:600;font-size:.92rem}
.fields input{width:100%;min-width:0;min-height:44px;padding:0 12px;border:1px solid var(--line);border-radius:10px;background:var(--sunken);color:inherit;font:inherit;font-weight:400}
.fields input[aria-invalid]{border-color:var(--room)}
.error{margin-bottom:12px;padding:10px 14px;border-radius:10px;background:var(--room-wash);color:var(--room)}
.notice{padding:10px 14px;border-radius:10px;background:var(--open-wash);color:var(--open)}
button.pay{width:100%;justify-content:center;min-height:48px;background:var(--brand);border-color:transparent;color:var(--brand-ink)}
.cards td:first-child{user-select:all;font-variant-numeric:tabular-nums}
.cards td:last-child{white-space:normal}`;

// A frame is transparent only while its page has the same colour scheme as the frame element, which is light.
const FRAMED_STYLE = `
:root{color-scheme:light only}body{background:transparent}main{width:min(440px,100% - 32px);margin-top:8vh}`;

/**
 * A hosted page. Each says that it belongs to the sandbox.
 * @param isFramed whether it is shown in a frame over the shop's page, which stays visible around it
 */
export function drawPage(title: string, body: Html | readonly Html[], { isFramed = false } = {}): Html {
  return drawDocument({
    title: `${title} (sandbox)`,
    style: PAGE_STYLE + (isFramed ? FRAMED_STYLE : ''),
    body: html`<body>
      <main class="wrap">
        <p class="sandbox">Sandbox: this page stands in for Stripe’s. No money moves.</p>
        ${body}
      </main>
    </body>`,
  });
}

/** A page that says why there is nothing to do. */
export function drawRefusal(title: string, reason: string): Html {
  return drawPage(
    title,
    html`<section class="card">
      <h1>${title}</h1>
      <p>${reason}</p>
    </section>`,
  );
}

export interface PricedLine {
  text: string;
  pence: number;
}

/** The lines of a payment with their sum. */
export function drawLines(lines: readonly PricedLine[], total: number, currency: string): Html {
  return html`<table class="lines">
    <tbody>
      ${lines.map(
        ({ text, pence }) =>
          html`<tr>
            <td>${text}</td>
            <td>${formatMoney(pence, currency)}</td>
          </tr>`,
      )}
    </tbody>
    <tfoot>
      <tr>
        <th>Total</th>
        <th>${formatMoney(total, currency)}</th>
      </tr>
    </tfoot>
  </table>`;
}
