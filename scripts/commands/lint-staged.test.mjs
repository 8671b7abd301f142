import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const GOOD = 'export const one = 1;\n';
const FLOATING = 'export const load = async () => 1;\nload();\n';
const LONG = 'export const   one = 1\n';

let folder;
const git = (...args) => {
  // Git sets GIT_DIR and GIT_INDEX_FILE for hooks; these tests may run in one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8' });
  return { ok: status === 0, output: `${stdout}${stderr}` };
};
const write = (path, text) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
};
const commit = () =>
  git('-c', 'user.name=A', '-c', 'user.email=a@packwatch.example', 'commit', '-m', 'Change');

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'packwatch-hook-'));
  for (const path of ['scripts', 'package.json', '.oxlintrc.json', '.oxfmtrc.json'])
    cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  git('init', '--quiet');
  git('add', '.oxlintrc.json', '.oxfmtrc.json');
  const { hooks } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
  expect(git(...hooks.split(' ').slice(1)).ok).toBe(true);
});
afterAll(() => rmSync(folder, { recursive: true }));

it('the hook refuses a staged fault, and checks only staged content', () => {
  write('probe.mjs', FLOATING);
  git('add', 'probe.mjs');
  // Fixed in the working tree, but not staged.
  write('probe.mjs', GOOD);
  expect(commit().output).toContain('no-floating-promises');

  write('probe.mjs', LONG);
  write('Procfile', 'web: node probe.mjs\n');
  git('add', 'probe.mjs', 'Procfile');
  expect(commit().output).toContain('do not pass: format');

  write('probe.mjs', GOOD);
  git('add', 'probe.mjs');
  // Broken in the working tree, but not staged.
  write('probe.mjs', FLOATING);
  expect(commit()).toMatchObject({ ok: true });
  expect(git('status', '--porcelain', '--', 'probe.mjs').output).toBe(' M probe.mjs\n');
});
