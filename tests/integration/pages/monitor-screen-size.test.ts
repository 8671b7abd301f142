import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { DEFAULT_WATCH_ID } from '#shared/brand';
import { DAY, MINUTE, SECOND, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import * as monitorPage from '~/routes/admin/monitor/monitor';
import { createApiFixture } from '../api/api-fixture';
import { addManyChecks } from '../monitor/many-checks';
import { createRenderedSite } from '../rendered-site';

/** As many as there may be. */
const MAX_WATCHES = 200;
const PAGE_LIMIT_BYTES = 150 * 1024;
const site = createRenderedSite({ '/dashboard/monitor': monitorPage });

test('the worst day at the shortest interval, and the most watches, are pages for a phone', async () => {
  const api = await createApiFixture();
  const token = await api.tokenOf('admin');
  const now = Date.now();
  const sizeOf = async () => Buffer.byteLength((await site.get('/dashboard/monitor', token)).html);
  await addManyChecks(api.db, { count: DAY / (15 * SECOND), newest: now - SECOND });
  // Each check has another verdict and response time, a long reason and both flags; alerts come one after the other.
  const analysis = JSON.stringify({
    verdict: 'unknown',
    strength: null,
    unknownReason: 'error',
    reason: 'A reason of two hundred characters. '.repeat(6),
    signs: [],
    slow: true,
    short: true,
  });
  await sql`update monitor_checks set response_time_ms = cast(substr(id, 26) as integer) * 7919 % 45000, alert_sent = 1,
    verdict = case cast(substr(id, 26) as integer) * 7919 % 3 when 0 then 'open' when 1 then 'unknown' else 'waiting_room' end,
    content_analysis = ${analysis}`.execute(api.db);
  for (let minutes = 0; minutes < 24 * 60; minutes += 20)
    await api.db
      .insertInto('alerts')
      .values({
        id: newId(),
        watch_id: DEFAULT_WATCH_ID,
        target_url: 'https://shop.example/',
        status: 'closed',
        strength: 'strong',
        opened_at: toIso(now - minutes * MINUTE - 10 * MINUTE),
        last_seen_at: toIso(now),
        closed_at: toIso(now - minutes * MINUTE),
        close_reason: null,
        suspended_at: null,
        revision: 1,
        opening_check_id: newId(),
        closing_check_id: null,
      })
      .execute();
  expect(await sizeOf()).toBeLessThan(PAGE_LIMIT_BYTES);

  for (let number = 2; number <= MAX_WATCHES; number += 1)
    await api.db
      .insertInto('watches')
      .values({
        id: newId(),
        slug: `watch-${number}`,
        shop: `The card shop number ${number}`,
        title: `Everything of the card shop number ${number}`,
        url: `https://shop-${number}.example/`,
        time_zone: 'America/New_York',
        hours: '9-21',
        interval_seconds: 60,
        running: 1,
        last_verdict: 'open',
        last_checked_at: toIso(now),
      })
      .execute();
  expect(await sizeOf()).toBeLessThan(PAGE_LIMIT_BYTES);
  await api.cleanup();
});
