import { html, trusted, type Html } from '../../html';

/** Stripe's defaults (docs.stripe.com/elements/appearance-api, "Commonly used variables"); the page's appearance wins. */
const ELEMENT_STYLE = `
:root{--font-size-base:1rem;--border-radius:5px;--spacing-unit:4px;--color-primary:#0570de;--color-background:#fff;--color-text:#30313d;
--color-text-secondary:#6d6e78;--color-text-placeholder:#757680;--color-danger:#df1b41;--edge:#e6e6e6}
:root[data-theme=night]{--color-primary:#85d996;--color-background:#30313d;--color-text:#fff;--color-text-secondary:#a3a3a3;--color-text-placeholder:#a3a3a3;--color-danger:#fe87a1;--edge:#424353}
*{box-sizing:border-box}
html,body{margin:0;background:transparent}
body{font-family:var(--font-family,system-ui,sans-serif);font-size:var(--font-size-base);line-height:1.4;color:var(--color-text)}
/* The frame cuts what is outside: room for the focus ring. */
#form{padding:4px;display:grid;grid-template-columns:1fr 1fr;gap:var(--grid-row-spacing,calc(var(--spacing-unit)*3))}
.Field{min-width:0}.Field:first-child{grid-column:1/-1}
.Label{display:block;margin-bottom:calc(var(--spacing-unit)*1);font-size:.93em;color:var(--color-text)}
.Input{width:100%;padding:calc(var(--spacing-unit)*3);border:1px solid var(--edge);border-radius:var(--border-radius);background:var(--color-background);color:var(--color-text);font:inherit;outline:0}
.Input::placeholder{color:var(--color-text-placeholder);opacity:1}
.Input:focus{border-color:var(--color-primary);box-shadow:0 0 0 3px color-mix(in srgb,var(--color-primary) 25%,transparent)}
.Input--invalid{border-color:var(--color-danger);color:var(--color-danger)}
.Error{margin:calc(var(--spacing-unit)*1) 0 0;font-size:.93em;color:var(--color-danger)}
body.card #form{grid-template-columns:minmax(0,2fr) minmax(0,1fr) minmax(0,1fr);padding:0;gap:8px}
body.card .Field:first-child{grid-column:auto}
body.card .Input{border:0;padding:0;background:transparent;box-shadow:none}
body.card .Label,body.card .Error{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}`;

const FIELDS = [
  { name: 'number', label: 'Card number', hint: '1234 1234 1234 1234', autocomplete: 'cc-number', max: 23 },
  { name: 'expiry', label: 'Expiration date', hint: 'MM / YY', autocomplete: 'cc-exp', max: 9 },
  { name: 'cvc', label: 'Security code', hint: 'CVC', autocomplete: 'cc-csc', max: 4 },
];

/** The frame of an element. `type` is `payment` (fields with labels) or `card` (one line). */
export function drawElement(
  type: 'payment' | 'card',
  { nonce, script }: { nonce: string; script: string },
): Html {
  return html`<!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>Secure payment input frame (sandbox)</title>
        <style>
          ${trusted(ELEMENT_STYLE)}
        </style>
      </head>
      <body class="${type}">
        <div id="form">
          ${FIELDS.map(
            ({ name, label, hint, autocomplete, max }) =>
              html`<div class="Field">
                <label class="Label" for="${name}">${label}</label>
                <input
                  class="Input"
                  id="${name}"
                  name="${name}"
                  inputmode="numeric"
                  autocomplete="${autocomplete}"
                  placeholder="${hint}"
                  maxlength="${max}"
                  aria-describedby="${name}-error"
                  aria-required="true"
                />
                <p class="Error" id="${name}-error" role="alert" hidden></p>
              </div>`,
          )}
        </div>
        <script nonce="${nonce}">
          ${trusted(script)};
        </script>
      </body>
    </html>`;
}
