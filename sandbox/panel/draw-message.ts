import type { Embed } from '../discord/message-form';
import type { KeptMessage, MessageText } from '../discord/message-store';
import { discordTime, drawMarkdown } from './discord-markdown';
import { drawTime } from './draw-parts';
import { html, type Html } from '../html';

/**
 * A message as Discord shows it, with its earlier versions in a collapsed list.
 * @param now epoch milliseconds
 */
export function drawMessage(message: KeptMessage, now: number): Html {
  const { edits, deletedAt } = message;
  const edited = edits.length > 0 && html` <span class="edited">(edited)</span>`;
  const pings = pingsOf(message);
  return html`<li class="message${deletedAt === null ? '' : ' deleted'}" id="message-${message.id}">
    <div class="face" aria-hidden="true">${[...message.username][0] ?? '?'}</div>
    <div class="said">
      <p class="by">
        <strong>${message.username}</strong> <span class="app">App</span> ${drawTime(message.receivedAt)}
      </p>
      ${drawText(message, now)}${edited}
      ${deletedAt !== null && html`<p class="note">deleted ${drawTime(deletedAt)}</p>`}
      ${pings !== '' && html`<p class="note">pings ${pings}</p>`}
      ${edits.length > 0 && drawHistory(message, now)}
      <p class="setno"><span>${message.id}</span><span>${edits.length + 1}/${edits.length + 1}</span></p>
    </div>
  </li>`;
}

function drawHistory({ id, original, edits, receivedAt }: KeptMessage, now: number): Html {
  const versions = [{ ...original, receivedAt }, ...edits].slice(0, -1);
  const items = versions.map(
    (version, index) =>
      html`<li>
        <p class="setno">
          <span>${drawTime(version.receivedAt)}</span><span>${index + 1}/${edits.length + 1}</span>
        </p>
        ${drawText(version, now)}
      </li>`,
  );
  return html`<details id="history-${id}">
    <summary>Earlier versions</summary>
    <ol class="history">
      ${items}
    </ol>
  </details>`;
}

function drawText({ content, embeds }: MessageText, now: number): Html {
  return html`${content !== '' && html`<div class="content">${drawMarkdown(content, now)}</div>`}${embeds.map(
    (embed) => drawEmbed(embed, now),
  )}`;
}

function drawEmbed(embed: Embed, now: number): Html {
  const colour = `#${(embed.color ?? 0x4f545c).toString(16).padStart(6, '0')}`;
  const title = embed.title && drawMarkdown(embed.title, now);
  const images = [embed.thumbnail?.url, embed.image?.url].filter((url) => url !== undefined);
  const foot = [
    embed.footer?.text,
    embed.timestamp ? discordTime(Date.parse(embed.timestamp), 'f', now) : undefined,
  ].filter((part) => part !== undefined);
  return html`<article class="embed">
    <svg class="bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 1 1">
      <rect width="1" height="1" fill="${colour}" />
    </svg>
    <div class="embed-body">
      ${embed.author && html`<p class="author">${embed.author.url ? anchor(embed.author.url, html`${embed.author.name}`) : embed.author.name}</p>`}
      ${title && html`<h4>${embed.url ? anchor(embed.url, title) : title}</h4>`}
      ${embed.description && html`<div class="description">${drawMarkdown(embed.description, now)}</div>`}
      ${embed.fields?.length ? html`<dl>${embed.fields.map((field) => drawField(field, now))}</dl>` : null}
      ${images.map((url) => html`<p class="note">image: ${url}</p>`)}
      ${foot.length > 0 && html`<p class="foot">${foot.join(' • ')}</p>`}
    </div>
  </article>`;
}

function drawField(field: NonNullable<Embed['fields']>[number], now: number): Html {
  return html`<div class="${field.inline ? 'inline' : 'row'}">
    <dt>${drawMarkdown(field.name, now)}</dt>
    <dd>${drawMarkdown(field.value, now)}</dd>
  </div>`;
}

function anchor(href: string, label: Html): Html {
  return html`<a href="${href}" rel="noreferrer noopener">${label}</a>`;
}

function pingsOf({ pings }: KeptMessage): string {
  return [
    pings.everyone ? '@everyone' : '',
    ...pings.roles.map((id) => `@role ${id}`),
    ...pings.users.map((id) => `@user ${id}`),
  ]
    .filter((who) => who !== '')
    .join(', ');
}
