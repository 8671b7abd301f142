import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'playwright/test';
import { MINUTE, SECOND } from '#shared/clock';
import { startPrivatePostgres } from '../../scripts/processes/private-postgres.mjs';
import { makeCleanCopy, npmStart, type NpmStart } from './clean-clone';
import { freePort } from '../free-port';

interface SandboxMessage {
  audience: string;
  receivedAt: number;
  edits: unknown[];
}

/** Command lines of living processes that mention a folder. */
function processesOf(folder: string): string[] {
  return execFileSync('ps', ['-eo', 'args'])
    .toString('utf8')
    .split('\n')
    .filter((line) => line.includes(folder));
}

/** Waits until everything runs, and returns the sandbox's address. */
async function waitForSandbox(started: NpmStart): Promise<string> {
  await expect
    .poll(started.output, { timeout: 2 * MINUTE, intervals: [SECOND] })
    .toContain('Packwatch is running');
  return /Sandbox\s+(http:\/\/127\.0\.0\.1:\d+)/.exec(started.output())?.[1] ?? '';
}

function withOutput(error: unknown, started: NpmStart): Error {
  const words = error instanceof Error ? error.message : String(error);
  return new Error(`${words}\n--- npm start said ---\n${started.output().slice(-4000)}`, { cause: error });
}

test('a newcomer types npm start and sees an alert arrive', async ({ page, request }) => {
  const { folder, remove } = makeCleanCopy();
  const [web, daemon] = [await freePort(), await freePort()];
  const started = npmStart(folder, { PORT: String(web), DAEMON_PORT: String(daemon) });
  try {
    const sandbox = await waitForSandbox(started);
    const messages = async (): Promise<SandboxMessage[]> => {
      const answer = (await (await request.get(`${sandbox}/control/messages`)).json()) as {
        messages: SandboxMessage[];
      };
      return answer.messages.filter((message) => message.audience !== 'admin');
    };
    const edits = async (): Promise<number> =>
      (await messages()).reduce((sum, message) => sum + message.edits.length, 0);

    await page.goto(`http://localhost:${web}/`);
    await expect(page.locator('[data-monitor-state="open"]')).toBeVisible({ timeout: MINUTE });

    // The shop is checked every fifteen seconds.
    await request.put(`${sandbox}/control/shop`, { data: { mode: 'imperva-room' } });
    await expect.poll(async () => (await messages()).length, { timeout: MINUTE }).toBe(1);
    // A visitor sees it when the free channel hears of it.
    await page.reload();
    await expect(page.locator('[data-monitor-state="open"]')).toBeVisible();
    await expect.poll(async () => (await messages()).length, { timeout: 90 * SECOND }).toBe(2);
    await page.reload();
    await expect(page.locator('[data-monitor-state="waiting_room"]')).toBeVisible();
    const [first, second] = (await messages()).sort((a, b) => a.receivedAt - b.receivedAt);
    expect([first?.audience, second?.audience]).toEqual(['instant', 'free']);
    const headStart = (second?.receivedAt ?? 0) - (first?.receivedAt ?? 0);
    expect(headStart).toBeGreaterThan(29 * SECOND);
    expect(headStart).toBeLessThan(32 * SECOND);

    await request.put(`${sandbox}/control/shop`, { data: { mode: 'open' } });
    await expect.poll(edits, { timeout: 2 * MINUTE }).toBe(2);
    expect(await messages()).toHaveLength(2);

    await started.interrupt();
    // The reaper ends last, after all other processes.
    await expect.poll(() => processesOf(folder), { timeout: MINUTE }).toEqual([]);
  } catch (error) {
    throw withOutput(error, started);
  } finally {
    await started.interrupt();
    remove();
  }
});

test('beside a DATABASE_URL of PostgreSQL npm start needs nothing more, and an alert arrives', async ({
  request,
}) => {
  const postgres = await startPrivatePostgres();
  const { folder, remove } = makeCleanCopy();
  const [web, daemon] = [await freePort(), await freePort()];
  const started = npmStart(folder, {
    PORT: String(web),
    DAEMON_PORT: String(daemon),
    DATABASE_URL: postgres.urlOf('postgres'),
  });
  try {
    const sandbox = await waitForSandbox(started);
    expect(existsSync(join(folder, 'data', 'packwatch.db'))).toBe(false);
    for (const port of [web, daemon])
      expect((await request.get(`http://localhost:${port}/healthz`)).status()).toBe(200);
    await request.put(`${sandbox}/control/shop`, { data: { mode: 'imperva-room' } });
    const instant = `${sandbox}/control/messages?audience=instant`;
    await expect
      .poll(
        async () => ((await (await request.get(instant)).json()) as { messages: unknown[] }).messages.length,
        { timeout: MINUTE },
      )
      .toBe(1);
    expect(await (await request.get(`http://localhost:${web}/news`)).text()).toContain('<article');
  } catch (error) {
    throw withOutput(error, started);
  } finally {
    await started.interrupt();
    await postgres.stop();
    remove();
  }
});
