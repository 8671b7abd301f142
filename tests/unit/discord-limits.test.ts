import { expect, it } from 'vitest';
import { NO_OFFER } from '#shared/alerts/alerted-offer';
import { discordMessage } from '#shared/channels/discord/discord-message';
import { renderAlertMessage } from '#shared/alerts/render-discord-message';
import { readPost } from '../../sandbox/discord/message-form';

/** The sandbox refuses what Discord refuses. */
const isAccepted = (message: object) => 'form' in readPost(JSON.stringify(message));

const OPENED = '2027-01-15T12:00:00.000Z';
const CLOSED = '2027-01-15T12:39:00.000Z';
const alert = {
  id: 'alert',
  watch_id: 'a',
  target_url: 'https://shop.example/',
  kind: 'waiting_room' as const,
  ...NO_OFFER,
  ordinal: 1,
  status: 'open' as const,
  strength: 'strong' as const,
  opened_at: OPENED,
  last_seen_at: CLOSED,
  closed_at: null,
  close_reason: null,
  suspended_at: null,
  fan_out_status: 'done' as const,
  fan_out_after: null,
  fan_out_at: null,
  revision: 1,
  opening_check_id: 'check',
  closing_check_id: null,
};
const STATES = [
  alert,
  { ...alert, status: 'closed' as const, closed_at: CLOSED },
  { ...alert, status: 'suspended' as const, suspended_at: CLOSED },
  { ...alert, status: 'closed' as const, closed_at: CLOSED, close_reason: 'removed' as const },
];

it.each(['@everyone [x](https://evil.example) **b**'.repeat(20), '🎴'.repeat(500), '_'.repeat(3_000)])(
  'an alert stays within Discord’s limits and makes no markup for a shop called %j',
  (name) => {
    for (const shown of STATES)
      for (const audience of ['instant', 'free'] as const) {
        const message = renderAlertMessage({
          watch: { slug: 'a', title: name, shop: name },
          alert: shown,
          audience,
          messages: { instantAt: OPENED, freeAt: CLOSED, free: null },
          appUrl: 'https://packwatch.example',
          roleId: null,
          mayRepeat: true,
        });
        expect(isAccepted(message)).toBe(true);
        const [embed] = message.embeds;
        expect(embed?.title).toMatch(/: (the waiting room|monitoring|no longer)/);
        expect(embed?.url?.length).toBeLessThanOrEqual(2_048);
        expect(embed?.title).not.toMatch(/(^|[^\\])(@everyone|\*\*b)/);
      }
  },
);

it('any message is within every limit of Discord by construction', () => {
  const message = discordMessage({
    username: `Clyde of Discord ${'u'.repeat(100)}`,
    roleId: '123456789012345678',
    embed: {
      title: '🎴'.repeat(300),
      description: 'd'.repeat(10_000),
      color: 1,
      fields: [
        { name: 'empty', value: ' ' },
        ...Array.from({ length: 40 }, () => ({ name: 'n'.repeat(300), value: 'v'.repeat(2_000) })),
      ],
      footer: { text: 'f'.repeat(3_000) },
    },
  });
  expect(isAccepted(message)).toBe(true);
  expect(message.username).toHaveLength(80);
});
