import type { CaughtMail } from '../mail/mail-catcher';
import type { MailFault } from '../mail/mail-fault';
import { drawButton, drawFaults, drawTime, newest, type Preset } from './draw-parts';
import { html, type Html } from '../html';

const SHOWN_MAILS = 20;

const MAIL_PRESETS: Preset<MailFault>[] = [
  { label: 'Later (451)', faults: [{ code: 451 }] },
  { label: 'Never (550)', faults: [{ code: 550 }] },
  { label: 'Closing (421)', faults: [{ code: 421 }] },
  { label: 'Refuse recipient', faults: [{ code: 550, at: 'recipient' }] },
  { label: '2 s late', faults: [{ delayMs: 2_000 }] },
  { label: '20 s after the dot', faults: [{ delayMs: 20_000, persistent: true }] },
  { label: 'Accepted without an answer', faults: [{ drop: true }] },
  { label: 'Silent at the greeting', faults: [{ delayMs: 3_600_000, at: 'connection', persistent: true }] },
  { label: 'Silent at the recipient', faults: [{ delayMs: 3_600_000, at: 'recipient', persistent: true }] },
  {
    label: 'Relay denied',
    faults: [{ code: 550, text: 'relay not permitted', at: 'recipient', persistent: true }],
  },
  {
    label: 'One in ten never, one late',
    faults: [
      { code: 550, at: 'recipient', share: [0, 0.1], persistent: true },
      { delayMs: 2_000, at: 'recipient', share: [0.1, 0.2], persistent: true },
    ],
  },
];

export function drawMails(mails: readonly CaughtMail[], faults: readonly MailFault[]): Html {
  const shown = newest(mails, SHOWN_MAILS);
  return html`<section class="card mail" id="mail" data-live aria-labelledby="mail-title">
    <h2 id="mail-title">Mail <span class="count">${mails.length}</span></h2>
    ${
      shown.length === 0
        ? html`<p class="empty">No mail has arrived.</p>`
        : html`<ol class="mails">
            ${shown.map(drawMail)}
          </ol>`
    }
    ${drawFaults('mail', 'smtp/faults', MAIL_PRESETS, faults)}
    ${mails.length > 0 && drawButton('mails', 'clear-mails', 'Clear mail', {}, 'DELETE')}
  </section>`;
}

function drawMail(mail: CaughtMail): Html {
  return html`<li>
    <details id="mail-${mail.id}">
      <summary>
        <strong>${mail.subject || '(no subject)'}</strong>
        <span class="soft">to ${mail.envelope.to.join(', ')}</span> ${drawTime(mail.receivedAt)}
      </summary>
      <p class="soft">From ${mail.from || mail.envelope.from}</p>
      <pre tabindex="0" aria-label="Text part">${mail.text ?? '(no plain text part)'}</pre>
      ${mail.html !== null && html`<iframe sandbox title="HTML part of ${mail.subject}" srcdoc="${mail.html}"></iframe>`}
      <details id="raw-${mail.id}">
        <summary>Raw message</summary>
        <pre tabindex="0" aria-label="Raw message">${mail.raw}</pre>
      </details>
    </details>
  </li>`;
}
