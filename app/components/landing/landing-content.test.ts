import { expect, test } from 'vitest';
import { NO_OFFER } from '#shared/alerts/alerted-offer';
import { renderAlertMessage } from '#shared/alerts/render-discord-message';
import { SLIDES } from './slideshow-content';

test('the alert of the slideshow has the text of a real one', () => {
  const now = '2026-12-15T12:31:04.000Z';
  const { embeds } = renderAlertMessage({
    alert: {
      id: 'a',
      watch_id: 'pokemon-center-uk',
      target_url: 'https://shop.example/',
      kind: 'waiting_room',
      ...NO_OFFER,
      ordinal: 1,
      status: 'open',
      strength: 'strong',
      opened_at: now,
      last_seen_at: now,
      closed_at: null,
      close_reason: null,
      suspended_at: null,
      fan_out_status: 'done' as const,
      fan_out_at: null,
      fan_out_after: null,
      revision: 1,
      opening_check_id: 'c',
      closing_check_id: null,
    },
    audience: 'instant',
    messages: { instantAt: null, freeAt: null, free: 'pending' },
    appUrl: 'https://packwatch.example',
    roleId: null,
    mayRepeat: false,
  });
  const { title, description, fields } = SLIDES.community.alert;
  expect(embeds[0]).toMatchObject({ title, description });
  expect(embeds[0]?.fields?.map(({ name }) => name)).toEqual(fields.map(({ name }) => name));
  expect(embeds[0]?.fields?.[1]?.value).toBe(fields[1].value);
  expect(embeds[0]?.fields?.[2]?.value).toBe(fields[2].value);
  expect(embeds[0]?.fields?.[3]?.value).toContain(`[${fields[3].value}]`);
});
