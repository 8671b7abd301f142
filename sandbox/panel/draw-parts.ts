import { html, type Html } from '../html';

/** A time of day with milliseconds, to compare delivery times. */
export function drawTime(epochMs: number): Html {
  const iso = new Date(epochMs).toISOString();
  const time = new Date(epochMs).toLocaleTimeString('en-GB', { hour12: false });
  return html`<time datetime="${iso}" title="${iso}">${time}<small>.${iso.slice(20, 23)}</small></time>`;
}

/** Such as `1 request`, `2 requests`. */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The last entries of a list, newest first. */
export const newest = <T>(list: readonly T[], limit: number): T[] => list.slice(-limit).reverse();

/** A table that scrolls sideways. @param label its accessible name */
export function drawTable(label: string, headings: readonly string[], rows: readonly Html[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th>${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

/**
 * A button that posts to `/control/PATH` the JSON that a test sends.
 * @param fields each is read as JSON if possible, else as text
 */
export function drawButton(
  path: string,
  id: string,
  label: string,
  fields: Record<string, string | number> = {},
  method: 'POST' | 'PUT' | 'DELETE' = 'POST',
): Html {
  return html`<form method="post" action="/control/${path}">
    ${method !== 'POST' && html`<input type="hidden" name="_method" value="${method}" />`}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button id="${id}">${label}</button>
  </form>`;
}

/** A button's name, and the faults that it sets. */
export interface Preset<F> {
  label: string;
  faults: F[];
}

/**
 * The pending faults of a service and the buttons that set them.
 * @param path of the command below `/control/`
 */
export function drawFaults<F extends object>(
  name: string,
  path: string,
  presets: readonly Preset<F>[],
  pending: readonly F[],
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
      ${title}${pending.length > 0 && html` <span class="state fault">${pending.length} pending</span>`}
    </summary>
    ${
      pending.length > 0 &&
      html`<ul class="waiting">
        ${pending.map((fault) => html`<li><code>${JSON.stringify(fault)}</code></li>`)}
      </ul>`
    }
    <form method="post" action="/control/${path}" class="buttons">
      <input type="hidden" name="_method" value="PUT" />${buttons}
    </form>
  </details>`;
}
