import { afterAll, beforeAll, expect, it } from 'vitest';
import { MINUTE } from '#shared/clock';
import { listSubscriptionPackages } from '#shared/subscriptions/packages/subscription-packages';
import { listTokenPackages } from '#shared/tokens/token-packages';
import { createDaemonSuite, type DaemonSuite } from '../daemon-suite';
import { eventually } from '../monitor/monitor-fixture';
import { stripeVariables } from '../payments/payments-fixture';

let suite: DaemonSuite;
beforeAll(async () => {
  suite = await createDaemonSuite();
});
afterAll(() => suite.close());

const TEXTS = ['--name', 'Pro Weekly', '--description', 'A week of instant alerts.'] as const;

it(
  'lists, adds and retires packages of both kinds, and refuses what cannot be sold',
  () =>
    suite.run(async ({ fixture: { db }, runTool }) => {
      const packages = (...args: string[]) => runTool('packages', ...args);
      const listed = await packages('list');
      expect(listed.stdout).toMatch(
        /^pro-yearly +Pro Yearly +£95\.90 +365 days +not at Stripe yet: run sync$/m,
      );
      expect(listed.stdout).toMatch(/^tokens-50 +50 Tokens +£4\.99 +50 +sold$/m);

      expect(await packages('add', 'pro-weekly', ...TEXTS, '--price', '3.50', '--days', '7')).toMatchObject({
        code: 0,
        stdout: 'Added the plan pro-weekly. It can be bought after "npm run packages -- sync".\n',
      });
      expect((await listSubscriptionPackages(db))[0]).toMatchObject({
        id: 'pro-weekly',
        pricePence: 350,
        durationDays: 7,
        sellable: false,
      });
      expect((await packages('add', 'tokens-10', ...TEXTS, '--price', '1', '--tokens', '10')).code).toBe(0);
      expect((await listTokenPackages(db))[0]).toMatchObject({ id: 'tokens-10', tokenCount: 10 });

      // An id is unique over both kinds, so that "retire ID" is never ambiguous.
      expect(await packages('add', 'tokens-10', ...TEXTS, '--price', '1', '--days', '7')).toMatchObject({
        code: 1,
        stderr: 'The package tokens-10 already exists. Choose another id.\n',
      });
      expect((await packages('retire', 'tokens-10')).stdout).toBe('tokens-10 is retired.\n');
      expect((await packages('retire', 'tokens-10')).stdout).toBe('tokens-10 is already retired.\n');
      expect((await packages('retire', 'pro-weekly')).code).toBe(0);
      expect((await listTokenPackages(db))[0]?.id).toBe('tokens-50');
      const audit = await db.selectFrom('audit_log').select(['action', 'subject']).execute();
      expect(audit).toEqual(
        expect.arrayContaining([
          { action: 'package.add', subject: 'pro-weekly' },
          { action: 'package.retire', subject: 'tokens-10' },
        ]),
      );
      const unknown = await packages('retire', 'nothing', '--json');
      expect(JSON.parse(unknown.stdout)).toMatchObject({ success: false, code: 'unknown_package' });

      const wrong: [string[], RegExp][] = [
        [['add', 'Weekly', ...TEXTS, '--price', '3.50', '--days', '7'], /lower-case letters/],
        [['add', 'weekly', ...TEXTS, '--price', '0.29', '--days', '7'], /from £0\.30/],
        [['add', 'weekly', ...TEXTS, '--price', '3.5', '--days', '7'], /from £0\.30/],
        [['add', 'weekly', ...TEXTS, '--price', '3.50', '--days', '1096'], /1 to 1095/],
        [['add', 'weekly', ...TEXTS, '--price', '3.50', '--tokens', '1.5'], /number of tokens/],
        [['add', 'weekly', ...TEXTS, '--price', '3.50'], /either --days/],
        [['add', 'weekly', '--name', ' ', '--description', 'x', '--price', '3', '--days', '7'], /a name/],
      ];
      for (const [args, sentence] of wrong) {
        const answer = await packages(...args);
        expect([answer.code, answer.stderr]).toEqual([2, expect.stringMatching(sentence)]);
      }

      expect(await packages('sync')).toMatchObject({ code: 1, stderr: 'Payment is not set up here.\n' });
    }, []),
  MINUTE,
);

it(
  'the daemon makes the prices of plans at Stripe when it starts, and sync reports one that differs',
  () =>
    suite.run(
      async ({ fixture: { db, sandbox }, runTool, startDaemon }) => {
        // Stripe is away at first.
        sandbox.stripe.setFaults([{ kind: 'drop', count: 2 }]);
        await startDaemon();
        await eventually(async () => {
          const plans = await listSubscriptionPackages(db);
          expect(plans.map(({ id, sellable }) => [id, sellable])).toEqual([
            ['pro-monthly', true],
            ['pro-yearly', true],
          ]);
        }, MINUTE / 2);
        const synced = await runTool('packages', 'sync', '--json');
        expect(JSON.parse(synced.stdout)).toMatchObject({
          success: true,
          packages: [{ id: 'pro-monthly', outcome: 'unchanged', fault: null }, { id: 'pro-yearly' }],
        });
        await db
          .updateTable('subscription_packages')
          .set({ duration_days: 31 })
          .where('id', '=', 'pro-monthly')
          .execute();
        expect(await runTool('packages', 'sync')).toMatchObject({
          code: 1,
          stdout: expect.stringMatching(
            /^pro-monthly +price_\w+ +Stripe's price price_\w+ is £9\.99 every 30 day\(s\), but Pro Monthly is £9\.99 every 31 day\(s\)\./m,
          ),
        });
        expect((await runTool('packages', 'list')).stdout).toMatch(/pro-monthly .*Stripe's price/);
        expect((await listSubscriptionPackages(db))[0]?.sellable).toBe(false);
      },
      [],
      stripeVariables,
    ),
  MINUTE,
);
