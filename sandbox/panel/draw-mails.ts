import type { CaughtMail } from '../mail/mail-catcher';
import type { MailFault } from '../mail/mail-fault';
import { clock } from './draw-message';
import { drawMailFaults } from './draw-switches';
import { html, type Html } from '../html';

const SHOWN_MAILS = 20;

export function drawMails(mails: readonly CaughtMail[], faults: readonly MailFault[]): Html {
  const newest = mails.slice(-SHOWN_MAILS).reverse();
  return html`<section class="card mail" id="mail" data-live aria-labelledby="mail-title">
    <h2 id="mail-title">Mail <span class="count">${mails.length}</span></h2>
    ${
      newest.length === 0
        ? html`<p class="empty">No mail has arrived.</p>`
        : html`<ol class="mails">
            ${newest.map(drawMail)}
          </ol>`
    }
    ${drawMailFaults(faults)}
    ${
      mails.length > 0 &&
      html`<form method="post" action="/control/mails" class="buttons">
        <input type="hidden" name="_method" value="DELETE" /><button id="clear-mails">Clear mail</button>
      </form>`
    }
  </section>`;
}

function drawMail(mail: CaughtMail): Html {
  return html`<li class="letter">
    <details id="mail-${mail.id}">
      <summary>
        <strong>${mail.subject || '(no subject)'}</strong>
        <span class="soft">to ${mail.envelope.to.join(', ')}</span> ${clock(mail.receivedAt)}
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
