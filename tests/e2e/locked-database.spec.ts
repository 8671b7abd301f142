import { openSqlite } from '#shared/database/sqlite/sqlite-database.server';
import { startAdminWeb, type AdminWeb } from './admin-web';
import { expect, test } from './test';

let admin: AdminWeb;

test.beforeAll(async () => {
  admin = await startAdminWeb('locked-database');
});

test.afterAll(() => admin.stop());

interface Answered {
  status: number;
  retryAfter: string | null;
  policy: string | null;
  body: string;
}

async function send(path: string, init: RequestInit): Promise<Answered> {
  const answer = await fetch(admin.web.url + path, { redirect: 'manual', ...init });
  return {
    status: answer.status,
    retryAfter: answer.headers.get('Retry-After'),
    policy: answer.headers.get('Content-Security-Policy'),
    body: await answer.text(),
  };
}

function sendForm(path: string, fields: Record<string, string>): Promise<Answered> {
  return send(path, {
    method: 'POST',
    headers: { Cookie: admin.cookie, Origin: admin.web.url },
    body: new URLSearchParams(fields),
  });
}

test('a database that stays locked answers 503 with Retry-After, and pages are still read @no-scripts', async () => {
  const other = openSqlite(admin.databaseFile);
  other.exec('begin immediate');
  try {
    const [home, preferences, preferencesData, slides, slidesData, api] = await Promise.all([
      send('/', {}),
      sendForm('/account', { intent: 'preferences' }),
      sendForm('/account.data', { intent: 'preferences' }),
      sendForm('/dashboard/hero-slides', { intent: 'slides', newsSlideEnabled: 'on' }),
      sendForm('/dashboard/hero-slides.data', { intent: 'slides', newsSlideEnabled: 'on' }),
      send('/api/auth/preferences', {
        method: 'PUT',
        headers: { Authorization: `Bearer ${admin.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ preferences: { marketing: true } }),
      }),
    ]);
    expect(home).toMatchObject({ status: 200, retryAfter: null });
    for (const answer of [preferences, preferencesData, slides, slidesData, api])
      expect(answer).toMatchObject({ status: 503, retryAfter: '5' });
    expect(preferences.body).toContain('Failed to update profile');
    // What the form says, and what was chosen, stay on the page.
    expect(slides.body).toContain('Failed to update configuration');
    expect(slidesData.body).toContain('Failed to update configuration');
    expect(JSON.parse(api.body)).toMatchObject({ success: false, code: 'database_busy' });
  } finally {
    other.exec('rollback');
    other.close();
  }
  expect(await sendForm('/account', { intent: 'preferences' })).toMatchObject({
    status: 303,
    retryAfter: null,
  });
  // A locked database is logged as a warning.
  expect(admin.web.running.output()).not.toMatch(/"level":"(error|fatal)"/);
});
