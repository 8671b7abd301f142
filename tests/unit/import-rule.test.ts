import { ESLint } from 'eslint';
import { describe, expect, it } from 'vitest';

const eslint = new ESLint();

async function rulesBroken(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

describe('the one import rule', () => {
  it.each([
    ['app', 'app/probe.ts', "import '../daemon/main';\n"],
    ['app, by way of the alias of the shared room', 'app/routes/probe.ts', "import '../../daemon/daemon';\n"],
    ['daemon', 'daemon/probe.ts', "import '../app/root';\n"],
    ['shared, from the daemon', 'shared/monitor/probe.ts', "import '../../daemon/daemon';\n"],
    ['shared, from the app', 'shared/probe.ts', "import '../app/root';\n"],
    ['a ground floor that reaches upstairs', 'shared/database/probe.ts', "import '../alerts/outbox';\n"],
    ['alerts that know the monitor', 'shared/alerts/probe.ts', "import '../monitor/verdict';\n"],
    ['storage that knows what it stores', 'shared/storage/probe.ts', "import '../news/find-article';\n"],
    ['a revision that knows what it counts', 'shared/content/probe.ts', "import '../news/find-article';\n"],
    ['settings that ask news', 'shared/settings/probe.ts', "import '../news/find-article';\n"],
    ['news that ask the settings', 'shared/news/probe.ts', "import '../settings/read-settings';\n"],
    ['queues that know articles', 'shared/queues/probe.ts', "import '../news/find-article';\n"],
    ['a stand-in that shares our code', 'sandbox/probe.ts', "import '#shared/clock';\n"],
  ])('stops %s', async (_name, filePath, code) => {
    expect(await rulesBroken(filePath, code)).toContain('import-x/no-restricted-paths');
  });

  it.each([
    ['app uses shared', 'app/probe.ts', "import '#shared/clock';\n"],
    ['daemon uses shared', 'daemon/probe.ts', "import '#shared/clock';\n"],
    ['news store files', 'shared/news/probe.ts', "import '../storage/upload-path';\n"],
    ['the monitor opens alerts', 'shared/monitor/probe.ts', "import '../alerts/outbox';\n"],
  ])('allows that %s', async (_name, filePath, code) => {
    expect(await rulesBroken(filePath, code)).toEqual([]);
  });

  it('keeps the environment in one file', async () => {
    expect(await rulesBroken('daemon/probe.ts', 'console.log(process.env.PORT);\n')).toContain(
      'no-restricted-properties',
    );
  });
}, 60_000);
