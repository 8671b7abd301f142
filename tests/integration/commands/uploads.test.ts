import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE, toIso } from '#shared/clock';
import { newId } from '#shared/ids';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

it(
  'lists the folders that have no record, and deletes them with --delete',
  () =>
    suite.run(async ({ fixture, runTool }) => {
      const folder = join(fixture.environment.DATA_DIR ?? '', 'uploads');
      const releases = join(fixture.environment.DATA_DIR ?? '', 'releases');
      const [attached, orphan] = [newId(), newId()];
      for (const id of [attached, orphan]) {
        mkdirSync(join(folder, id), { recursive: true });
        writeFileSync(join(folder, id, '480.webp'), 'x');
      }
      const now = toIso(Date.now());
      await fixture.db
        .insertInto('uploads')
        .values({ id: attached, kind: 'media', status: 'attached', created_at: now, updated_at: now })
        .execute();

      expect(await runTool('uploads', 'orphans')).toMatchObject({
        code: 0,
        stdout: `${orphan}\n1 folder in ${folder} without a record.\n0 folders in ${releases} without a record.\n`,
      });
      const listed = JSON.parse((await runTool('uploads', 'orphans', '--json')).stdout) as unknown;
      expect(listed).toEqual({
        success: true,
        folder,
        orphans: [orphan],
        releases: { folder: releases, orphans: [] },
        deleted: false,
      });
      expect(existsSync(join(folder, orphan))).toBe(true);

      expect(await runTool('uploads', 'orphans', '--delete')).toMatchObject({
        code: 0,
        stdout: `${orphan}\nDeleted 1 folder in ${folder}.\nDeleted 0 folders in ${releases}.\n`,
      });
      expect(existsSync(join(folder, orphan))).toBe(false);
      expect(existsSync(join(folder, attached))).toBe(true);

      const wrong = await runTool('uploads', 'strays', '--json');
      expect(wrong.code).toBe(2);
      expect(JSON.parse(wrong.stdout)).toMatchObject({ success: false, code: 'wrong_use' });
    }, []),
  MINUTE,
);
