import { html, type Html } from '../html';
import type { Scrappey } from '../scrappey/scrappey';
import type { ScrappeyFault } from '../scrappey/scrappey-fault';
import { drawFaults, drawTable, drawTime, newest, type Preset } from './draw-parts';

const SHOWN_CALLS = 8;

const SCRAPPEY_PRESETS: Preset<ScrappeyFault>[] = [
  { label: 'Overloaded (0001)', faults: [{ kind: 'code', code: '0001' }] },
  { label: 'Blocked (0002)', faults: [{ kind: 'code', code: '0002' }] },
  { label: 'Not verified', faults: [{ kind: 'unverified' }] },
  { label: 'No JSON', faults: [{ kind: 'garbage' }] },
  { label: '500 once', faults: [{ kind: 'status', status: 500 }] },
  { label: 'Never respond', faults: [{ kind: 'hang' }] },
];

/** The last calls of Scrappey and its faults. */
export function drawScrappey(scrappey: Scrappey): Html {
  const requests = scrappey.requests();
  const rows = newest(requests, SHOWN_CALLS).map(
    ({ receivedAt, cmd, data, status, url }) =>
      html`<tr>
        <td>${drawTime(receivedAt)}</td>
        <td>${cmd}</td>
        <td>${data ?? status ?? 'no response'}</td>
        <td class="agent">${url}</td>
      </tr>`,
  );
  return html`<section class="card" id="scrappey" data-live aria-labelledby="scrappey-title">
    <h2 id="scrappey-title">Scrappey <span class="count">${requests.length}</span></h2>
    ${
      rows.length === 0
        ? html`<p class="empty">Nothing has been fetched through Scrappey.</p>`
        : drawTable('Calls', ['At', 'Command', 'Response', 'Address'], rows)
    }
    ${drawFaults('scrappey', 'scrappey/faults', SCRAPPEY_PRESETS, scrappey.faults())}
  </section>`;
}
