import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test, vi } from 'vitest';
import { serverContext } from '~/http/server/context.server';
import { action as apiAction, loader as apiLoader } from '~/routes/api/api';
import { loader as healthLoader } from '~/routes/healthz';
import { loader as landingLoader } from '~/routes/site/landing';
import { action as themeAction } from '~/routes/site/theme';
import { loader as unknownPageLoader } from '~/routes/site/unknown';
import { SCENES, setScene } from '../../e2e/monitor-scenes';
import { SITE, siteFixture } from '../site-fixture';

const site = siteFixture();

function args(path: string, init?: RequestInit) {
  return { request: new Request(SITE + path, init), params: {}, context: {} };
}

describe('the landing page', () => {
  test.each(SCENES)('reads the monitor in the state: %s', async (scene) => {
    await setScene(site.db, scene, Date.now());
    const { live } = await landingLoader(args('/'));
    expect(live?.status.queueActive).toBe(scene === 'live');
    expect(live?.status.daemon.online).toBe(scene !== 'offline');
    expect(live?.status.withinHours).toBe(scene !== 'resting');
    expect((live?.bands.length ?? 0) > 0).toBe(scene !== 'no-check-yet');
    expect(live?.hoursInWords).toMatch(/./);
  });
});

describe('/healthz', () => {
  test('reports a degraded state while Redis is down', async () => {
    const answer = await healthLoader();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'degraded',
      database: { ok: true },
      redis: { ok: false },
      daemon: { online: false },
    });
  });

  test('is 503 while the database is unavailable', async () => {
    await healthLoader();
    await serverContext().db.destroy();
    const answer = await healthLoader();
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ status: 'down', database: { ok: false } });
  });
});

describe('/api/openapi.json', () => {
  test('is a valid OpenAPI 3.1 document of the declared calls', async () => {
    const answer = await apiLoader(args('/api/openapi.json'));
    const document = (await answer.json()) as { servers: unknown; paths: object; components: object };
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: SITE }] });
    expect(Object.keys(document.paths)).toContain('/api/openapi.json');
    expect(document.components).toHaveProperty('schemas.Failure');
    expect((await new Validator().validate(structuredClone(document))).valid).toBe(true);
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=300');
  });

  test('is built once', async () => {
    await apiLoader(args('/api/openapi.json'));
    const reads = vi.spyOn(apiLoader.group, 'paths', 'get');
    const answers = await Promise.all([1, 2].map(() => apiLoader(args('/api/openapi.json'))));
    expect(await answers[0]?.text()).toBe(await answers[1]?.text());
    expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
  });

  test('is read-only', async () => {
    const answer = await apiAction(args('/api/openapi.json', { method: 'DELETE' }));
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
  });
});

test('an unknown API path is a JSON 404 for every method', async () => {
  for (const answer of [
    await apiLoader(args('/api/nope')),
    await apiAction(args('/api/nope/deeper', { method: 'PATCH' })),
  ]) {
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({
      success: false,
      code: 'not_found',
      message: expect.any(String),
    });
  }
});

test('an unknown page redirects to the landing page, a missing asset is a 404', () => {
  expect(unknownPageLoader(args('/nope'))).toMatchObject({ status: 302 });
  expect(unknownPageLoader(args('/nope')).headers.get('Location')).toBe('/');
  expect(unknownPageLoader(args('/assets/old-1234.js')).status).toBe(404);
});

describe('/theme', () => {
  const choose = async (fields: Record<string, string>) => {
    const answer = await themeAction(args('/theme', { method: 'POST', body: new URLSearchParams(fields) }));
    return {
      status: answer.status,
      location: answer.headers.get('Location'),
      cookie: answer.headers.get('Set-Cookie'),
    };
  };

  test('stores the choice and redirects back', async () => {
    const { status, location, cookie } = await choose({ theme: 'dark', returnTo: '/?a=1' });
    expect({ status, location }).toEqual({ status: 303, location: '/?a=1' });
    expect(cookie).toMatch(/^theme=.*Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('does not redirect to other sites', async () => {
    expect((await choose({ theme: 'light', returnTo: '//evil.example' })).location).toBe('/');
  });

  test('accepts three themes', async () => {
    expect(await choose({ theme: 'blue', returnTo: '/' })).toMatchObject({ status: 400, cookie: null });
  });

  test('accepts only a form', async () => {
    const answer = await themeAction(
      args('/theme', {
        method: 'POST',
        body: '{"theme":"dark"}',
        headers: { 'Content-Type': 'application/json' },
      }),
    );
    expect(answer.status).toBe(415);
  });
});
