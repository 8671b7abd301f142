import { html, type Html } from '../html';

/**
 * Renders the part of Discord's markdown that alerts use: bold, italic, underline, strike-through, code, links, mentions
 * and timestamps. Everything else stays plain text.
 * @param now epoch milliseconds, for relative times
 */
export function drawMarkdown(text: string, now: number): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push(drawLines(text.slice(end, match.index)));
    parts.push(drawToken(match, now));
    end = match.index + match[0].length;
  }
  parts.push(drawLines(text.slice(end)));
  return html`${parts}`;
}

const TOKEN = new RegExp(
  [
    String.raw`\\(?<escaped>[\\*_~\x60|<>@#\[\]()\-:.!+])`,
    '`(?<code>[^`]+)`',
    String.raw`\*\*(?<bold>[^]+?)\*\*`,
    String.raw`__(?<underline>[^]+?)__`,
    String.raw`~~(?<strike>[^]+?)~~`,
    String.raw`\*(?<star>[^*\s][^*]*)\*`,
    String.raw`(?<![A-Za-z0-9])_(?<low>[^_\s][^_]*)_(?![A-Za-z0-9])`,
    String.raw`\[(?<label>[^\]\n]+)\]\(<?(?<target>https?://[^\s)>]+)>?\)`,
    String.raw`<t:(?<unix>-?\d{1,13})(?::(?<style>[tTdDfFR]))?>`,
    String.raw`<@&(?<role>\d+)>`,
    String.raw`<@!?(?<user>\d+)>`,
    String.raw`<#(?<channel>\d+)>`,
    String.raw`<?(?<bare>https?://[^\s<>]+)>?`,
  ].join('|'),
  'g',
);

function drawToken(match: RegExpExecArray, now: number): Html {
  const found: Record<string, string | undefined> = match.groups ?? {};
  const inner = (text: string) => drawMarkdown(text, now);
  const link = (target: string, label: Html) =>
    html`<a href="${target}" rel="noreferrer noopener">${label}</a>`;

  if (found.escaped !== undefined) return html`${found.escaped}`;
  if (found.code !== undefined) return html`<code>${found.code}</code>`;
  if (found.bold !== undefined) return html`<strong>${inner(found.bold)}</strong>`;
  if (found.underline !== undefined) return html`<u>${inner(found.underline)}</u>`;
  if (found.strike !== undefined) return html`<s>${inner(found.strike)}</s>`;
  const italic = found.star ?? found.low;
  if (italic !== undefined) return html`<em>${inner(italic)}</em>`;
  if (found.label !== undefined && found.target !== undefined) return link(found.target, inner(found.label));
  if (found.unix !== undefined) return drawTime(Number(found.unix), (found.style ?? 'f') as TimeStyle, now);
  if (found.role !== undefined) return html`<span class="mention">@role ${found.role}</span>`;
  if (found.user !== undefined) return html`<span class="mention">@user ${found.user}</span>`;
  if (found.channel !== undefined) return html`<span class="mention">#channel ${found.channel}</span>`;
  return link(found.bare ?? '', html`${found.bare}`);
}

/** The latest time that a Date can hold, in seconds (ECMAScript, "Time Values and Time Range"). */
const MAX_DATE_SECONDS = 8.64e12;

function drawTime(unix: number, style: TimeStyle, now: number): Html {
  if (Math.abs(unix) > MAX_DATE_SECONDS) return html`<span>Invalid date</span>`;
  const iso = new Date(unix * 1_000).toISOString();
  return html`<time datetime="${iso}" title="${iso}">${discordTime(unix * 1_000, style, now)}</time>`;
}

function drawLines(text: string): Html {
  return html`${text.split('\n').map((line, index) => (index === 0 ? html`${line}` : html`<br />${line}`))}`;
}

/** The styles of `<t:unix:style>` (Discord docs, "Reference › Timestamp Styles"). */
type TimeStyle = 't' | 'T' | 'd' | 'D' | 'f' | 'F' | 'R';

const FORMATS: Record<Exclude<TimeStyle, 'R'>, Intl.DateTimeFormatOptions> = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};

const UNITS: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/**
 * Formats a time as Discord does, in this machine's time zone.
 * @param epochMs the time; @param now for the relative style, both epoch milliseconds
 */
export function discordTime(epochMs: number, style: TimeStyle, now: number): string {
  if (style !== 'R') return new Intl.DateTimeFormat('en-GB', FORMATS[style]).format(epochMs);
  const seconds = Math.round((epochMs - now) / 1_000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}
