import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '#shared/clock';
import { createMonitorFixture, type MonitorFixture } from '../monitor/monitor-fixture';
import { TOOLS, type ToolName } from '../tools';

let fixture: MonitorFixture;

beforeAll(async () => {
  fixture = await createMonitorFixture({ redisUrl: 'redis://127.0.0.1:1', webhooks: [] });
  writeFileSync(join(fixture.folder, 'page.html'), '<p>Hello</p>');
  writeFileSync(join(fixture.folder, 'broken.json'), '{"content-type": ');
});
afterAll(() => fixture.cleanup());

/** Words from libraries and from stack traces of bugs. */
const RAW =
  /To specify a positional argument|ERR_|ZodError|Invalid input|expected string|SqliteError|SQLITE_|constraint failed|Unexpected (?:token|end)|^\s+at /m;

interface Case {
  tool: ToolName;
  args: string;
  /** What the sentence says; the first line of the output. */
  says: string | RegExp;
  /** The first line of the usage that follows, after "Use: npm run ". */
  use: string;
}

const unknown = (tool: ToolName, args: string, use: string): Case => ({
  tool,
  args,
  says: `There is no command ${args}.`,
  use,
});

const CASES: Case[] = [
  // Unknown commands.
  unknown('admin', 'dance', 'admin -- COMMAND'),
  unknown('members', 'dance', 'members -- COMMAND'),
  unknown('members', 'bounces forget', 'members -- COMMAND'),
  unknown('migrate', 'sideways', 'migrate -- COMMAND'),
  unknown('monitor', 'constructor', 'monitor -- COMMAND'),
  unknown('monitor', 'settings forget', 'monitor -- COMMAND'),
  unknown('monitor', 'webhook dance', 'monitor -- COMMAND'),
  unknown('monitor', 'watch dance', 'monitor -- COMMAND'),
  unknown('monitor', 'product dance', 'monitor -- COMMAND'),
  unknown('packages', '__proto__', 'packages -- COMMAND'),
  unknown('payments', 'dance', 'payments -- COMMAND'),
  unknown('payments', 'account refuse', 'payments -- COMMAND'),
  unknown('uploads', 'strays', 'uploads -- orphans'),
  // Unknown options, also those of another command of the same program.
  ...(
    [
      ['admin', 'grant a@b.test --loud', 'grant EMAIL'],
      ['backup', 'copy.db --loud', 'FILE'],
      ['copy-database', '--loud', '--to ADDRESS'],
      ['members', 'bounces list --loud', 'bounces list'],
      ['migrate', '--loud', ''],
      ['monitor', 'status --loud', 'status'],
      ['packages', 'list --loud', 'list'],
      ['payments', 'adopt --loud', 'adopt'],
      ['restore', 'copy.db --loud', 'FILE'],
      ['seed', '--loud', '[--instant URL]'],
      ['uploads', 'orphans --loud', 'orphans'],
    ] as const
  ).map(([tool, args, use]) => ({
    tool,
    args,
    says: "Unknown option '--loud'.",
    use: `${tool} --${use === '' ? '' : ' '}${use}`,
  })),
  {
    tool: 'monitor',
    args: 'status --hours 3',
    says: "Unknown option '--hours'.",
    use: 'monitor -- status',
  },
  { tool: 'monitor', args: '--loud', says: "Unknown option '--loud'.", use: 'monitor -- COMMAND' },
  { tool: 'monitor', args: '-x', says: "Unknown option '-x'.", use: 'monitor -- COMMAND' },
  // Options without a value, with an extra value, or given twice.
  {
    tool: 'monitor',
    args: 'history --hours',
    says: '--hours needs a value.',
    use: 'monitor -- history',
  },
  { tool: 'monitor', args: 'history --hours=', says: '--hours needs a value.', use: 'monitor -- history' },
  { tool: 'monitor', args: 'history --hours -5', says: /^--hours needs a value/, use: 'monitor -- history' },
  {
    tool: 'monitor',
    args: 'history --limit 5 --limit 6',
    says: '--limit is given twice.',
    use: 'monitor -- history',
  },
  {
    tool: 'uploads',
    args: 'orphans --delete=yes',
    says: /^--delete takes no value, so yes/,
    use: 'uploads -- orphans',
  },
  { tool: 'admin', args: 'list --json=yes', says: /^--json takes no value/, use: 'admin -- list' },
  // Missing arguments.
  { tool: 'admin', args: 'grant', says: 'The email address is missing.', use: 'admin -- grant EMAIL' },
  { tool: 'backup', args: '', says: 'The file is missing.', use: 'backup -- FILE' },
  {
    tool: 'members',
    args: 'bounces',
    says: 'The command bounces needs one of: list, clear.',
    use: 'members -- COMMAND',
  },
  {
    tool: 'members',
    args: 'bounces clear',
    says: 'The email address is missing.',
    use: 'members -- bounces clear',
  },
  {
    tool: 'monitor',
    args: 'settings set monitoring_hours',
    says: 'The value is missing.',
    use: 'monitor -- settings set KEY VALUE',
  },
  { tool: 'copy-database', args: '', says: '--to is missing.', use: 'copy-database -- --to ADDRESS' },
  {
    tool: 'copy-database',
    args: '--to mysql://db.example/packwatch',
    says: /^--to is file:PATH or postgres:/,
    use: 'copy-database -- --to ADDRESS',
  },
  { tool: 'monitor', args: 'webhook set', says: 'The URL is missing.', use: 'monitor -- webhook set URL' },
  {
    tool: 'monitor',
    args: 'watch remove',
    says: 'The slug is missing.',
    use: 'monitor -- watch remove SLUG',
  },
  {
    tool: 'monitor',
    args: 'watch add --shop A --title B',
    says: '--url is missing.',
    use: 'monitor -- watch add',
  },
  {
    tool: 'monitor',
    args: 'watch set other',
    says: /of other, by an option/,
    use: 'monitor -- watch set SLUG',
  },
  { tool: 'packages', args: 'retire', says: 'The id is missing.', use: 'packages -- retire ID' },
  {
    tool: 'packages',
    args: 'add weekly --price 3.50 --days 7',
    says: '--name is missing.',
    use: 'packages -- add ID',
  },
  {
    tool: 'packages',
    args: 'add weekly --name A --description B --days 7',
    says: '--price is missing.',
    use: 'packages -- add ID',
  },
  { tool: 'payments', args: 'show', says: 'The email address is missing.', use: 'payments -- show EMAIL' },
  { tool: 'payments', args: 'retry', says: "The event's id is missing.", use: 'payments -- retry ID' },
  { tool: 'restore', args: '', says: 'The file is missing.', use: 'restore -- FILE' },
  // Wrong values.
  {
    tool: 'admin',
    args: 'grant nonsense',
    says: 'nonsense is not an email address.',
    use: 'admin -- grant EMAIL',
  },
  {
    tool: 'backup',
    args: '/no-such-folder/copy.db',
    says: /\/no-such-folder/,
    use: 'backup -- FILE',
  },
  {
    tool: 'members',
    args: 'bounces clear nonsense',
    says: /^nonsense is not/,
    use: 'members -- bounces clear',
  },
  { tool: 'monitor', args: 'history --hours 1000', says: /1000.* from 1 to 720/, use: 'monitor -- history' },
  { tool: 'monitor', args: 'history --limit ten', says: /ten.* from 1 to 1000/, use: 'monitor -- history' },
  {
    tool: 'monitor',
    args: 'webhook test --audience all',
    says: /all.*instant, free, admin/,
    use: 'monitor -- webhook test',
  },
  {
    tool: 'monitor',
    args: 'webhook set nonsense',
    says: /nonsense.*not a Discord webhook URL/,
    use: 'monitor -- webhook set URL',
  },
  {
    tool: 'monitor',
    args: 'settings set check_interval_seconds 5',
    says: /5 as check_interval_seconds: The interval/,
    use: 'monitor -- settings set KEY VALUE',
  },
  {
    tool: 'monitor',
    args: 'settings set colour red',
    says: /^There is no monitor setting called colour/,
    use: 'monitor -- settings set KEY VALUE',
  },
  {
    tool: 'monitor',
    args: 'watch set other --interval 5',
    says: /5 as --interval: The interval/,
    use: 'monitor -- watch set SLUG',
  },
  {
    tool: 'monitor',
    args: 'watch set other --time-zone Mars/Base',
    says: /Mars\/Base as --time-zone/,
    use: 'monitor -- watch set SLUG',
  },
  {
    tool: 'monitor',
    args: 'judge --file nowhere.html',
    says: /nowhere\.html as --file/,
    use: 'monitor -- judge',
  },
  {
    tool: 'monitor',
    args: 'judge --file FOLDER/page.html --status 2000',
    says: /2000 as --status/,
    use: 'monitor -- judge',
  },
  {
    tool: 'monitor',
    args: 'judge --file FOLDER/page.html --headers FOLDER/broken.json',
    says: /broken\.json as --headers/,
    use: 'monitor -- judge',
  },
  {
    tool: 'packages',
    args: 'add Weekly --name A --description B --price 3.50 --days 7',
    says: /Weekly as the id/,
    use: 'packages -- add ID',
  },
  {
    tool: 'packages',
    args: 'add weekly --name A --description B --price free --days 7',
    says: /free as --price/,
    use: 'packages -- add ID',
  },
  {
    tool: 'packages',
    args: 'add weekly --name A --description B --price 3.50 --tokens many',
    says: /many as --tokens/,
    use: 'packages -- add ID',
  },
  { tool: 'payments', args: 'show nonsense', says: /^nonsense is not/, use: 'payments -- show EMAIL' },
  {
    tool: 'payments',
    args: 'reconcile nonsense',
    says: /^nonsense is not/,
    use: 'payments -- reconcile [EMAIL]',
  },
  { tool: 'payments', args: 'events --limit 0', says: /0 as --limit/, use: 'payments -- events' },
  { tool: 'restore', args: '/nowhere.db', says: /\/nowhere\.db/, use: 'restore -- FILE' },
  { tool: 'seed', args: '--member-pro nonsense', says: /^nonsense is not/, use: 'seed -- [--instant URL]' },
  { tool: 'seed', args: '--shop nonsense', says: /nonsense as --shop/, use: 'seed -- [--instant URL]' },
  { tool: 'seed', args: '--instant nonsense', says: /nonsense as --instant/, use: 'seed -- [--instant URL]' },
  // Too many arguments.
  ...(
    [
      ['admin', 'list more', 'list'],
      ['admin', 'enable a@b.test more', 'enable EMAIL'],
      ['backup', 'copy.db more', 'FILE'],
      ['members', 'bounces list more', 'bounces list'],
      ['members', 'bounces clear a@b.test more', 'bounces clear'],
      ['migrate', 'down more', 'down'],
      ['monitor', 'status more', 'status'],
      ['monitor', 'check more', 'check'],
      ['monitor', 'history more', 'history'],
      ['monitor', 'judge more', 'judge'],
      ['monitor', 'settings set monitoring_hours 9-21 more', 'settings set'],
      ['monitor', 'webhook delete more', 'webhook delete'],
      ['packages', 'list more', 'list'],
      ['payments', 'events more', 'events'],
      ['payments', 'account accept more', 'account accept'],
      ['restore', 'copy.db more', 'FILE'],
      ['seed', 'more', '[--instant URL]'],
      ['uploads', 'orphans more', 'orphans'],
    ] as const
  ).map(([tool, args, use]) => ({
    tool,
    args,
    says: 'The argument more is one too many.',
    use: `${tool} -- ${use}`,
  })),
];

it(
  'wrong use of every command is exit code 2, one sentence with the value, and the usage of that command alone',
  async () => {
    for (const { tool, args, says, use } of CASES) {
      const words = args
        .replaceAll('FOLDER', fixture.folder)
        .split(' ')
        .filter((word) => word !== '');
      const label = `npm run ${tool} -- ${args}`;
      const plain = await TOOLS[tool](words, { NODE_ENV: 'test', ...fixture.environment });
      expect([plain.code, plain.stdout], label).toEqual([2, '']);
      const [sentence, gap, usage, ...help] = plain.stderr.trimEnd().split('\n');
      if (typeof says === 'string') expect(sentence, label).toBe(says);
      else expect(sentence, label).toMatch(says);
      expect(gap, label).toBe('');
      expect(usage?.startsWith(`Use: npm run ${use}`), `${label}: ${usage}`).toBe(true);
      expect(usage, label).toContain('[--json]');
      expect(help.join('').length, label).toBeGreaterThan(0);
      expect(plain.stderr, label).not.toMatch(RAW);

      const asJson = await TOOLS[tool]([...words, '--json'], { NODE_ENV: 'test', ...fixture.environment });
      expect([asJson.code, asJson.stderr], label).toEqual([2, plain.stderr]);
      expect(JSON.parse(asJson.stdout), label).toEqual({
        success: false,
        code: 'wrong_use',
        message: plain.stderr.trimEnd(),
      });
    }
    expect(existsSync('copy.db')).toBe(false);
  },
  MINUTE,
);

it('shows the usage of one command with --help, and of the program without arguments', async () => {
  const run = (tool: ToolName, ...args: string[]) =>
    TOOLS[tool](args, { NODE_ENV: 'test', ...fixture.environment });
  const one = await run('monitor', 'history', '--help');
  expect(one).toMatchObject({ code: 0, stderr: '' });
  expect(one.stdout).toMatch(/^Use: npm run monitor -- history \[--hours N\]/);
  expect(one.stdout).not.toContain('webhook');
  expect((await run('monitor')).stdout).toMatch(/^ {2}webhook set URL/m);
  expect(JSON.parse((await run('members', '-h', '--json')).stdout)).toMatchObject({ success: true });
});
