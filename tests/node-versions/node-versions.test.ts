import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { MINUTE } from '#shared/clock';
import { runTool, startStack, type Stack } from '../e2e/stack';
import { emptyNodeVersionsDatabase } from '../redis-databases';

/** The other Node versions that `npm test` has downloaded, as paths by version. */
interface OtherNodes {
  supported: Record<string, string>;
  /** A version that is too old. */
  old: Record<string, string>;
}

function readOtherNodes(): OtherNodes {
  const { PACKWATCH_OTHER_NODES } = process.env;
  if (PACKWATCH_OTHER_NODES === undefined)
    throw new Error(
      'PACKWATCH_OTHER_NODES is not set: run these tests with npm test, which fetches the Nodes.',
    );
  return JSON.parse(PACKWATCH_OTHER_NODES) as OtherNodes;
}

const { supported, old } = readOtherNodes();

let stack: Stack | null = null;
afterEach(async () => {
  await stack?.stop();
  stack = null;
});

async function messagesOf({ sandbox }: Stack): Promise<{ audience: string }[]> {
  const answer = await fetch(`${sandbox.origin}/control/messages`);
  return ((await answer.json()) as { messages: { audience: string }[] }).messages;
}

describe.each(Object.entries(supported))('on Node %s', (_version, node) => {
  test(
    'web and daemon start, deliver an alert and stop with exit code 0',
    async () => {
      stack = await startStack(await emptyNodeVersionsDatabase(), { node });
      expect((await fetch(stack.siteUrl)).status).toBe(200);

      await fetch(`${stack.sandbox.origin}/control/shop`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ mode: 'imperva-room' }),
      });
      await runTool('monitor', ['check'], stack.environment, stack.dataDir, node);
      const seen = stack;
      await expect
        .poll(() => messagesOf(seen), { timeout: MINUTE })
        .toContainEqual(expect.objectContaining({ audience: 'instant' }));

      expect(await stack.stop()).toEqual({ daemon: 0, web: 0, sandbox: 0 });
    },
    2 * MINUTE,
  );
});

describe.each(Object.entries(old))('on Node %s', (version, node) => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  test.each(['start:web', 'start:daemon'])('%s refuses to start, with one sentence', async (name) => {
    const env = { NODE_ENV: 'production' as const, PATH: [dirname(node), process.env.PATH].join(delimiter) };
    const run = promisify(execFile)('sh', ['-c', scripts[name] ?? ''], { env });
    await expect(run).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Packwatch needs Node 22.19 or newer; this is Node ${version}.\n`,
    });
  });
});
