import { describe, expect, it } from 'vitest';
import {
  discordMessage,
  escapeMarkdown,
  type DiscordEmbed,
  type DiscordMessage,
} from '../channels/discord/discord-message';
import { NO_OFFER } from './alerted-offer';
import {
  renderAlertMessage,
  renderNoticeMessage,
  renderTestMessage,
  restockLink,
  type AlertMessageInput,
} from './render-discord-message';

const APP_URL = 'https://packwatch.example';
const OPENED = '2027-01-15T12:00:00.000Z';
const openedMark = `<t:${Date.parse(OPENED) / 1_000}:T>`;

const alert: AlertMessageInput['alert'] = {
  id: 'alert',
  watch_id: 'pokemon-center-uk',
  target_url: 'https://shop.example/',
  kind: 'waiting_room',
  ...NO_OFFER,
  ordinal: 1,
  status: 'open',
  strength: 'strong',
  opened_at: OPENED,
  last_seen_at: '2027-01-15T12:20:30.000Z',
  closed_at: null,
  close_reason: null,
  suspended_at: null,
  fan_out_status: 'done' as const,
  fan_out_at: null,
  fan_out_after: null,
  revision: 1,
  opening_check_id: 'check',
  closing_check_id: null,
};

/** Both messages were sent, 30.1 seconds apart. */
const SENT = { instantAt: '2027-01-15T12:00:00.090Z', freeAt: '2027-01-15T12:00:30.190Z', free: null };

const render = (changes: Partial<AlertMessageInput> = {}) =>
  renderAlertMessage({
    alert,
    audience: 'instant',
    messages: { instantAt: null, freeAt: null, free: 'pending' },
    appUrl: APP_URL,
    roleId: null,
    mayRepeat: false,
    ...changes,
  });

function onlyEmbed(message: DiscordMessage): DiscordEmbed {
  const [embed, ...more] = message.embeds;
  if (embed === undefined || more.length > 0) throw new Error('one embed was expected');
  return embed;
}

const fieldOf = (message: DiscordMessage, name: string) =>
  onlyEmbed(message).fields?.find((field) => field.name === name)?.value;

const moved = {
  ...alert,
  status: 'closed' as const,
  closed_at: alert.last_seen_at,
  close_reason: 'moved' as const,
};
const closed = { ...alert, status: 'closed' as const, closed_at: '2027-01-15T12:39:00.000Z' };
const suspended = { ...alert, status: 'suspended' as const, suspended_at: '2027-01-15T21:00:01.000Z' };

describe('an alert’s message', () => {
  it('has the colour of the state', () => {
    const colours = [alert, closed, suspended, moved].map(
      (shown) => onlyEmbed(render({ alert: shown })).color,
    );
    expect(new Set(colours.slice(0, 3)).size).toBe(3);
    expect(colours[3]).toBe(colours[2]);
  });

  it('has the head start: the planned one at first, then the measured one', () => {
    expect(fieldOf(render(), 'Head start')).toBe('30 seconds before everyone else');
    expect(fieldOf(render({ messages: SENT, alert: closed }), 'Head start')).toBe(
      '30.1 seconds before everyone else',
    );
    expect(fieldOf(render({ messages: SENT, audience: 'free' }), 'Head start')).toBe(
      'Pro members heard 30.1 seconds earlier',
    );
    const alone = { ...SENT, freeAt: null, free: 'cancelled' as const };
    expect(fieldOf(render({ messages: alone, alert: closed }), 'Head start')).toBe(
      'It closed before everyone else was told',
    );
    // Without a free webhook, or with an instant message that failed, there is nothing to compare.
    expect(fieldOf(render({ messages: { ...SENT, freeAt: null } }), 'Head start')).toBeUndefined();
    expect(fieldOf(render({ messages: { ...SENT, instantAt: null } }), 'Head start')).toBeUndefined();
  });

  it('leads to the status of its watch', () => {
    expect(fieldOf(render(), 'Status')).toBe(
      '[All shops, and the best hours to be awake](https://packwatch.example/status)',
    );
    const watch = { slug: 'other-shop', title: 'Other Shop', shop: 'Other' };
    expect(fieldOf(render({ watch }), 'Status')).toContain('/status?watch=other-shop)');
  });

  it('of a deleted watch says so, and leads to what still exists', () => {
    const removed = { ...moved, close_reason: 'removed' as const };
    for (const audience of ['instant', 'free'] as const) {
      const embed = onlyEmbed(render({ alert: removed, audience }));
      expect(embed).toMatchObject({
        title: 'Pokemon Center UK: no longer watched',
        url: 'https://packwatch.example/status',
      });
      expect(embed.description).not.toContain('It lasted');
    }
  });

  it('does not claim that the room has closed when monitoring moved to another page', () => {
    const embed = onlyEmbed(render({ alert: moved, roleId: '123456789012345678' }));
    expect(embed.title).toBe('Pokemon Center UK: monitoring has moved');
    expect(embed.description).toContain('we cannot say when it closed');
    expect(embed.description).not.toContain('It lasted');
  });

  it('links the instant audience to the shop and the free one to the restock page', () => {
    const embed = onlyEmbed(render());
    expect(embed).toMatchObject({
      title: 'Pokemon Center UK: the waiting room is open',
      url: 'https://shop.example/',
    });
    expect(embed.fields?.[0]?.value).toBe(`${openedMark} (${openedMark.replace('T>', 'R>')})`);
    const free = onlyEmbed(render({ audience: 'free' }));
    expect(free.url).toBe(restockLink(APP_URL));
  });

  it('says how long a closed room lasted', () => {
    const embed = onlyEmbed(render({ alert: closed }));
    expect(embed.title).toBe('Pokemon Center UK: the waiting room has closed');
    expect(embed.description).toMatch(/^It lasted 39 minutes\. Opened <t:\d+:T>, closed <t:\d+:T>\.$/);
  });

  it('claims nothing about a room that is no longer monitored', () => {
    const embed = onlyEmbed(render({ alert: suspended }));
    expect(embed.title).toBe('Pokemon Center UK: monitoring is paused');
    expect(embed.description).toContain(`<t:${Date.parse(alert.last_seen_at) / 1_000}:T>`);
    expect(embed.description).toContain('we cannot say whether it still is');
  });

  it.each([
    ['open', alert],
    ['closed', closed],
    ['paused', suspended],
  ])('is marked as a possible repeat when %s', (_name, shown) => {
    expect(onlyEmbed(render({ alert: shown, mayRepeat: true })).footer?.text).toContain(
      'you may have seen this already',
    );
    expect(onlyEmbed(render({ alert: shown })).footer?.text).not.toContain('already');
  });

  it('pings the configured role only', () => {
    const roleId = '123456789012345678';
    expect(render({ roleId })).toMatchObject({
      content: `<@&${roleId}>`,
      allowed_mentions: { parse: [], roles: [roleId] },
    });
    expect(render()).toMatchObject({ content: '', allowed_mentions: { parse: [] } });
    expect(render().allowed_mentions).not.toHaveProperty('roles');
  });
});

describe('a notice to the admins', () => {
  const notice = {
    id: 'n',
    kind: 'delivery_failed' as const,
    dedupe_key: 'k',
    title: 'A title',
    body: 'A body',
    created_at: OPENED,
  };

  it('stays within Discord’s limits, whatever it quotes', () => {
    const embed = onlyEmbed(
      renderNoticeMessage({ ...notice, title: 't'.repeat(300), body: '*'.repeat(5_000) }, APP_URL),
    );
    expect(embed.title).toHaveLength(256);
    expect(embed.description).toHaveLength(4_096);
    expect(embed.description.endsWith('…')).toBe(true);
    expect(embed.title.length + embed.description.length + (embed.footer?.text.length ?? 0)).toBeLessThan(
      6_000,
    );
  });

  it('escapes quoted text, so that it makes no links, pings or formatting', () => {
    const body = 'said: @everyone <@&1> [click](https://evil.example) **now** `x` ~~y~~ ||z|| # h\n> q';
    const message = renderNoticeMessage({ ...notice, body }, APP_URL);
    const { description } = onlyEmbed(message);
    expect(message.allowed_mentions).toEqual({ parse: [] });
    for (const mark of ['@', '<', '>', '[', ']', '(', ')', '*', '`', '~', '|', '#']) {
      const bare = new RegExp(`(?<!\\\\)\\${mark}`);
      expect(description).not.toMatch(bare);
    }
    expect(description.replaceAll('\\', '')).toBe(body);
  });

  it('escapes a backslash first, so that it cannot undo an escape', () => {
    expect(escapeMarkdown('\\*')).toBe('\\\\\\*');
  });
});

describe('a test message', () => {
  it('is distinct from an alert, names its watch and audience, and pings no one', () => {
    const watch = { shop: 'Shop*', title: 'Waiting room' };
    const message = renderTestMessage({ audience: 'free', watch, appUrl: APP_URL, now: OPENED });
    expect(onlyEmbed(message).description).toContain(
      'Alerts of Waiting room at Shop\\* for the free audience',
    );
    expect(onlyEmbed(message).title).toBe('Packwatch: test alert');
    expect(onlyEmbed(message).footer?.text).toContain('nothing has happened');
    expect(message).toMatchObject({ content: '', allowed_mentions: { parse: [] } });
  });
});

describe('the link to the restock page', () => {
  it('has the product and the parameters that the page shows', () => {
    const link = new URL(restockLink(`${APP_URL}/`));
    expect(link.origin + link.pathname).toBe(`${APP_URL}/restock/pokemon-center-uk`);
    expect([...link.searchParams.keys()]).toEqual(['name', 'price', 'retailer', 'source']);
  });
});

describe('a message', () => {
  it('leaves out the fields that do not fit, and keeps the others', () => {
    const fields = Array.from({ length: 40 }, (_, at) => ({ name: `n${at}`, value: 'v'.repeat(1_000) }));
    const { embeds } = discordMessage({
      username: 'Packwatch',
      embed: { title: 't', description: 'd', color: 1, fields },
    });
    expect(embeds[0]?.fields?.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2', 'n3', 'n4']);
    const many = fields.map(({ name }) => ({ name, value: 'v' }));
    const { embeds: short } = discordMessage({
      username: 'Packwatch',
      embed: { title: 't', description: 'd', color: 1, fields: many },
    });
    expect(short[0]?.fields).toHaveLength(25);
  });

  it('link to our own page when the address of the shop is longer than Discord accepts', () => {
    const longest = `https://shop.example/${'x'.repeat(2_027)}`;
    const urlOf = (target_url: string) => onlyEmbed(render({ alert: { ...alert, target_url } })).url;
    expect(urlOf(longest)).toBe(longest);
    expect(urlOf(`${longest}x`)).toBe(restockLink(APP_URL));
  });
});

describe('an alert about a product', () => {
  const restock: AlertMessageInput['alert'] = {
    ...alert,
    watch_id: 'chest',
    kind: 'restock',
    price_amount: 4_999,
    price_currency: 'GBP',
    variants: JSON.stringify([
      { key: '1', name: 'Red *box*' },
      { key: '2', name: 'Blue box' },
    ]),
  };
  const product: Partial<AlertMessageInput> = {
    alert: restock,
    watch: { slug: 'chest', title: 'Ember Hollow chest', shop: 'Tanglewood Cards' },
    offer: {
      isLimited: false,
      previousPrice: { amount: 5_499, currency: 'GBP' },
      lowest: { amount: 3_999, days: 90 },
      inStockAt: null,
    },
  };

  it('says what came back, where, and what it costs now and did before', () => {
    const message = render(product);
    expect(onlyEmbed(message)).toMatchObject({
      title: 'Ember Hollow chest is back in stock',
      url: 'https://shop.example/',
      description: `Back ${openedMark} (${openedMark.replace(':T', ':R')}).`,
    });
    expect(onlyEmbed(message).fields?.map(({ name, value }) => [name, value])).toEqual([
      ['Retailer', 'Tanglewood Cards'],
      ['Price', '£49.99 (£5.00 less than before)'],
      ['Availability', 'In stock'],
      ['Variants', 'Red \\*box\\*, Blue box'],
      ['Lowest in 90 days', '£39.99'],
      ['Head start', '30 seconds before everyone else'],
    ]);
  });

  it('leads the free audience to the restock page, with name, price and retailer', () => {
    const link = new URL(onlyEmbed(render({ ...product, audience: 'free' })).url ?? '');
    expect(link.pathname).toBe('/restock/chest');
    expect(Object.fromEntries(link.searchParams)).toEqual({
      name: 'Ember Hollow chest',
      price: '£49.99',
      retailer: 'Tanglewood Cards',
      source: 'discord',
    });
  });

  it('says when little is left, and leaves out what is not known', () => {
    const message = render({
      ...product,
      alert: { ...restock, price_amount: null, price_currency: null, variants: null },
      offer: { isLimited: true, previousPrice: null, lowest: null, inStockAt: null },
    });
    expect(fieldOf(message, 'Availability')).toBe('Low stock');
    for (const name of ['Price', 'Variants', 'Lowest in 90 days', 'Status'])
      expect(fieldOf(message, name)).toBeUndefined();
  });

  it.each([
    ['restock', 'Ember Hollow chest is sold out again', 'In stock for 6 minutes, £49.99.'],
    [
      'preorder',
      'Ember Hollow chest can no longer be pre-ordered',
      'It could be pre-ordered for 6 minutes, £49.99.',
    ],
  ] as const)('of kind %s says how long it lasted and what it cost', (kind, title, sentence) => {
    const closed = { ...restock, kind, status: 'closed' as const, closed_at: '2027-01-15T12:06:00.000Z' };
    const embed = onlyEmbed(render({ ...product, alert: closed }));
    expect(embed.title).toBe(title);
    expect(embed.description).toContain(sentence);
  });

  it('of a pre-order that ended because the product came in stock says so, also once that is sold out', () => {
    const inStockAt = '2027-01-15T12:06:00.000Z';
    const ended = {
      ...restock,
      kind: 'preorder' as const,
      status: 'closed' as const,
      closed_at: inStockAt,
    };
    const offer = { isLimited: false, previousPrice: null, lowest: null, inStockAt };
    const messages = { instantAt: OPENED, freeAt: null, free: 'cancelled' as const };
    const message = render({ ...product, alert: ended, offer, messages });
    const embed = onlyEmbed(message);
    expect(embed.title).toBe('Ember Hollow chest could be pre-ordered until it came in stock');
    expect(embed.description).toBe(
      `It could be pre-ordered for 6 minutes, £49.99. Opened ${openedMark}, in stock from <t:${Date.parse(inStockAt) / 1_000}:T>.`,
    );
    expect(embed.footer?.text).toBe('Packwatch');
    expect(fieldOf(message, 'Head start')).toBe('The pre-order ended before everyone else was told');
  });

  it('says that stock comes and goes, and what it does not know after the watch was removed', () => {
    expect(onlyEmbed(render({ ...product, alert: { ...restock, trickling: 1 } })).description).toContain(
      'It comes and goes',
    );
    const removed = {
      ...restock,
      status: 'closed' as const,
      closed_at: OPENED,
      close_reason: 'removed' as const,
    };
    const text = JSON.stringify(render({ ...product, alert: removed }));
    expect(text).toContain('It was in stock when we last looked');
    expect(text).not.toMatch(/waiting room|shop closed/);
  });
});
