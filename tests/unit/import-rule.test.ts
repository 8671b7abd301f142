import { ESLint } from 'eslint';
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ALLOWED_IMPORTS, BASE_FOLDERS, zonesOfShared } from '../../eslint.config.js';

const eslint = new ESLint();

async function rulesBroken(filePath: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

const table: Readonly<Record<string, readonly string[]>> = ALLOWED_IMPORTS;
const parts = Object.keys(table);

/** The import path of one module of a folder of shared/. */
function moduleOf(part: string): string {
  const file = readdirSync(`shared/${part}`).find((name) => /(?<!\.test)\.ts$/.test(name)) ?? 'none';
  return `${part}/${file.replace(/\.ts$/, '')}`;
}

/** The folders of shared/ that a file must not import. */
async function forbiddenImports(filePath: string, imported: readonly string[]): Promise<string[]> {
  const code = imported.map((part) => `import '#shared/${moduleOf(part)}';\n`).join('');
  const [result] = await eslint.lintText(code, { filePath });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'import-x/no-restricted-paths')
    .map(({ line }) => imported[line - 1] ?? '');
}

describe('the table of shared/', () => {
  it.each(parts)('lets %s import only the folders that it lists', async (part) => {
    const allowed = [part, ...(table[part] ?? []), ...(BASE_FOLDERS.includes(part) ? [] : BASE_FOLDERS)];
    expect(await forbiddenImports(`shared/${part}/probe.ts`, parts)).toEqual(
      parts.filter((other) => !allowed.includes(other)),
    );
  });

  it('lets a module directly in shared/ import no folder of it', async () => {
    expect(await forbiddenImports('shared/clock.ts', parts)).toEqual(parts);
    expect(await rulesBroken('shared/errors.ts', "import './clock';\n")).toEqual([]);
  });

  it('lets app and daemon import every folder', async () => {
    for (const filePath of ['app/probe.ts', 'daemon/probe.ts'])
      expect(await forbiddenImports(filePath, parts)).toEqual([]);
  });

  it('has no cycles', () => {
    const reach = (part: string, path: readonly string[]): void => {
      expect(path, [...path, part].join(' → ')).not.toContain(part);
      for (const next of table[part] ?? []) reach(next, [...path, part]);
    };
    for (const part of parts) reach(part, []);
  });

  it('lists exactly the folders that exist', () => {
    const { news, ...others } = ALLOWED_IMPORTS;
    expect(() => zonesOfShared(others)).toThrow('news');
    expect(() => zonesOfShared({ ...others, news, invoices: [] })).toThrow('invoices');
    expect(parts.filter((part) => !existsSync(`shared/${part}`))).toEqual([]);
  });
});

describe('the import rule', () => {
  it.each([
    ['app imports daemon', 'app/probe.ts', "import '../daemon/main';\n"],
    ['app imports daemon, from a route', 'app/routes/probe.ts', "import '../../daemon/daemon';\n"],
    ['daemon imports app', 'daemon/probe.ts', "import '../app/root';\n"],
    ['shared imports daemon', 'shared/monitor/probe.ts', "import '../../daemon/daemon';\n"],
    ['shared imports app', 'shared/probe.ts', "import '../app/root';\n"],
    ['database imports alerts', 'shared/database/probe.ts', "import '../alerts/deliveries/deliveries';\n"],
    ['alerts import monitor', 'shared/alerts/probe.ts', "import '../monitor/checks/verdict';\n"],
    ['accounts import news', 'shared/accounts/probe.ts', "import '../news/find-article';\n"],
    ['storage imports news', 'shared/storage/probe.ts', "import '../news/find-article';\n"],
    ['content imports news', 'shared/content/probe.ts', "import '../news/find-article';\n"],
    ['settings import news', 'shared/settings/probe.ts', "import '../news/find-article';\n"],
    ['news import settings', 'shared/news/probe.ts', "import '../settings/read-settings';\n"],
    ['queues import news', 'shared/queues/probe.ts', "import '../news/find-article';\n"],
    ['sandbox imports shared', 'sandbox/probe.ts', "import '#shared/clock';\n"],
  ])('forbids: %s', async (_name, filePath, code) => {
    expect(await rulesBroken(filePath, code)).toContain('import-x/no-restricted-paths');
  });

  it.each([
    ['app imports shared', 'app/probe.ts', "import '#shared/clock';\n"],
    ['daemon imports shared', 'daemon/probe.ts', "import '#shared/clock';\n"],
    ['news import storage', 'shared/news/probe.ts', "import '../storage/upload-path';\n"],
    ['monitor imports alerts', 'shared/monitor/probe.ts', "import '../alerts/deliveries/deliveries';\n"],
  ])('allows: %s', async (_name, filePath, code) => {
    expect(await rulesBroken(filePath, code)).toEqual([]);
  });

  it.each(['formData', 'text', 'json'])(
    'forbids a page to read a request without limits, by %s',
    async (read) => {
      const code = `export const action = ({ request }: { request: Request }) => request.${read}();\n`;
      expect(await rulesBroken('app/routes/probe.ts', code)).toContain('no-restricted-syntax');
    },
  );

  it('forbids reading the environment outside one file', async () => {
    expect(await rulesBroken('daemon/probe.ts', 'console.log(process.env.PORT);\n')).toContain(
      'no-restricted-properties',
    );
  });
}, 60_000);
