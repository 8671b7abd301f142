import { fromIso, SECOND } from '../../clock';

/** The body of Execute Webhook and Edit Webhook Message, as far as we use it (Discord docs, "Webhook resource"). */
export interface DiscordMessage {
  username?: string;
  content: string;
  embeds: DiscordEmbed[];
  allowed_mentions: { parse: []; roles?: string[] };
}

export interface DiscordEmbed {
  title: string;
  url?: string;
  description: string;
  color: number;
  fields?: { name: string; value: string; inline?: boolean }[];
  thumbnail?: { url: string };
  footer?: { text: string };
  timestamp?: string;
}

/** Discord docs, "Webhook resource", Execute Webhook, and "Message resource", Embed limits. */
const LIMITS = {
  username: 80,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  footer: 2_048,
  /** Of title, description, field names, field values and footer together. */
  embed: 6_000,
} as const;

/** Discord docs, "Webhook resource": a username must not contain these words. */
const FORBIDDEN_IN_USERNAME = /clyde|discord/gi;

/** Truncates to `limit` code units, the strictest way in which Discord may count, without splitting a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Escapes outside text, so that it cannot become links, pings or formatting. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_~|>#[\]()<@:-]/g, '\\$&');
}

/** Discord's timestamp markup, shown in each reader's time zone. `T`: time, `R`: relative. */
export function timeMark(iso: string, style: 'T' | 'R'): string {
  return `<t:${Math.floor(fromIso(iso) / SECOND)}:${style}>`;
}

/** A link with a label; the label is our own text. */
export function markdownLink(label: string, url: string): string {
  return `[${label}](${new URL(url).href.replace(/[()]/g, encodeURIComponent)})`;
}

function fitEmbed({ title, description, fields = [], footer, ...rest }: DiscordEmbed): DiscordEmbed {
  const shownTitle = cut(title, LIMITS.title);
  const shownFooter = footer === undefined ? undefined : { text: cut(footer.text, LIMITS.footer) };
  let left = LIMITS.embed - shownTitle.length - (shownFooter?.text.length ?? 0);
  const shownDescription = cut(description, Math.min(LIMITS.description, left));
  left -= shownDescription.length;
  const shownFields: NonNullable<DiscordEmbed['fields']> = [];
  for (const field of fields.slice(0, LIMITS.fields)) {
    const name = cut(field.name, LIMITS.fieldName);
    const value = cut(field.value, LIMITS.fieldValue);
    // Discord refuses a field without text.
    if (name.trim() === '' || value.trim() === '' || name.length + value.length > left) continue;
    left -= name.length + value.length;
    shownFields.push({ ...field, name, value });
  }
  return {
    ...rest,
    title: shownTitle,
    description: shownDescription,
    ...(shownFields.length > 0 && { fields: shownFields }),
    ...(shownFooter !== undefined && { footer: shownFooter }),
  };
}

/**
 * Builds a message of one embed within Discord's limits: texts that are too long are truncated, fields that do not fit are
 * left out. Pings the role only (`roleId`; null: none), whatever the texts contain.
 */
export function discordMessage({
  username,
  roleId = null,
  embed,
}: {
  username: string;
  roleId?: string | null;
  embed: DiscordEmbed;
}): DiscordMessage {
  return {
    username: cut(username.replace(FORBIDDEN_IN_USERNAME, '').trim() || 'Alerts', LIMITS.username),
    content: roleId === null ? '' : `<@&${roleId}>`,
    allowed_mentions: { parse: [], ...(roleId === null ? {} : { roles: [roleId] }) },
    embeds: [fitEmbed(embed)],
  };
}
