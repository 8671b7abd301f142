import { ESLint } from 'eslint';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GROUND_FOLDERS, KNOWS, zonesOfShared } from '../../eslint.config.js';

const eslint = new ESLint();

async function rulesBroken(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

const knows: Readonly<Record<string, readonly string[]>> = KNOWS;
const parts = Object.keys(knows);

/** A module of a part of shared/, as the others would import it. */
function moduleOf(part: string): string {
  if (part.endsWith('.ts')) return part.replace(/\.ts$/, '');
  const file = readdirSync(`shared/${part}`).find((name) => /(?<!\.test)\.ts$/.test(name)) ?? 'none';
  return `${part}/${file.replace(/\.ts$/, '')}`;
}

/** The parts of shared/ that a file is stopped from importing. */
async function stoppedAt(filePath: string, imported: readonly string[]): Promise<string[]> {
  const code = imported.map((part) => `import '#shared/${moduleOf(part)}';\n`).join('');
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'import-x/no-restricted-paths')
    .map(({ line }) => imported[line - 1] ?? '');
}

describe('the table of shared/', () => {
  it.each(parts)('lets %s import what it names and nothing else', async (part) => {
    const open = [part, ...(knows[part] ?? []), ...(GROUND_FOLDERS.includes(part) ? [] : GROUND_FOLDERS)];
    const filePath = part.endsWith('.ts') ? `shared/${part}` : `shared/${part}/probe.ts`;
    expect(await stoppedAt(filePath, parts)).toEqual(parts.filter((other) => !open.includes(other)));
  });

  it('lets the ground floor import nothing above it', async () => {
    expect(await stoppedAt('shared/clock.ts', parts)).toEqual(parts);
    expect(await rulesBroken('shared/errors.ts', "import './clock';\n")).toEqual([]);
  });

  it('lets app and daemon import every part', async () => {
    for (const filePath of ['app/probe.ts', 'daemon/probe.ts'])
      expect(await stoppedAt(filePath, parts)).toEqual([]);
  });

  it('has no circles', () => {
    const reach = (part: string, path: readonly string[]): void => {
      expect(path, [...path, part].join(' → ')).not.toContain(part);
      for (const next of knows[part] ?? []) reach(next, [...path, part]);
    };
    for (const part of parts) reach(part, []);
  });

  it('names every folder, and nothing that is not there', () => {
    const { news, ...others } = KNOWS;
    expect(() => zonesOfShared(others)).toThrow('news');
    expect(() => zonesOfShared({ ...others, news, releases: [] })).toThrow('releases');
    expect(parts.filter((part) => !existsSync(`shared/${part}`))).toEqual([]);
  });
});

describe('the one import rule', () => {
  it.each([
    ['app', 'app/probe.ts', "import '../daemon/main';\n"],
    ['app, by way of the alias of the shared room', 'app/routes/probe.ts', "import '../../daemon/daemon';\n"],
    ['daemon', 'daemon/probe.ts', "import '../app/root';\n"],
    ['shared, from the daemon', 'shared/monitor/probe.ts', "import '../../daemon/daemon';\n"],
    ['shared, from the app', 'shared/probe.ts', "import '../app/root';\n"],
    ['a ground floor that reaches upstairs', 'shared/database/probe.ts', "import '../alerts/deliveries';\n"],
    ['alerts that know the monitor', 'shared/alerts/probe.ts', "import '../monitor/checks/verdict';\n"],
    ['accounts that know what they write', 'shared/accounts/probe.ts', "import '../news/find-article';\n"],
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
    ['the monitor opens alerts', 'shared/monitor/probe.ts', "import '../alerts/deliveries';\n"],
  ])('allows that %s', async (_name, filePath, code) => {
    expect(await rulesBroken(filePath, code)).toEqual([]);
  });

  it.each(['formData', 'text', 'json'])('lets no page read a request without limits, by %s', async (read) => {
    const code = `export const action = ({ request }: { request: Request }) => request.${read}();\n`;
    expect(await rulesBroken('app/routes/probe.ts', code)).toContain('no-restricted-syntax');
  });

  it('keeps the environment in one file', async () => {
    expect(await rulesBroken('daemon/probe.ts', 'console.log(process.env.PORT);\n')).toContain(
      'no-restricted-properties',
    );
  });
}, 60_000);
