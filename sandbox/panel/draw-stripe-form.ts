import { html, type Html } from '../html';

/**
 * A button that does one thing at Stripe: it posts the JSON that a test sends to `/control/stripe/PATH`.
 * @param fields each is read as JSON if possible, else as text
 */
export function drawForm(
  path: string,
  id: string,
  label: string,
  fields: Record<string, string | number> = {},
  method: 'POST' | 'PUT' = 'POST',
): Html {
  return html`<form method="post" action="/control/stripe/${path}">
    ${method === 'PUT' && html`<input type="hidden" name="_method" value="PUT" />`}
    ${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    <button id="${id}">${label}</button>
  </form>`;
}
