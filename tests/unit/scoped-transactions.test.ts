import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { sourceFiles } from './imports/import-graph';

/** The scopes that a file gives to its transactions, as they are written. */
function scopesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  if (!/in(?:Transaction|Statement)\(/.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const name = node.expression.getText();
      if (name === 'inTransaction' && node.arguments[2])
        found.push(`${file}: ${node.arguments[2].getText()}`);
      if (name === 'inStatement') found.push(`${file}: 'statement'`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

/**
 * Transactions with a scope run side by side on PostgreSQL. A new one belongs here only if no transaction of another scope
 * writes what it reads or writes, but for single statements that repeat their condition:
 *
 * - an account: its ledger and its proxies;
 * - a watch: its row, checks, counts and alerts, and the deliveries of these alerts;
 * - statements: claims of outboxes (a delivery that is claimed is left alone by the checks of its watch), the daemon's own
 *   heartbeat, the last use of a session, an answered challenge.
 */
it('the transactions that run side by side on PostgreSQL are these', () => {
  const files = sourceFiles().filter((file) => /^(?:app|daemon|shared)\/(?!.*\.test\.ts$)/.test(file));
  expect(files.flatMap(scopesIn).toSorted()).toEqual([
    "shared/accounts/passkeys/challenges.ts: 'statement'",
    "shared/accounts/sessions.ts: 'statement'",
    "shared/database/transaction.ts: 'statement'",
    'shared/monitor/checks/check-lease.ts: { watch: watchId }',
    'shared/monitor/checks/check-lease.ts: { watch: watchId }',
    'shared/monitor/checks/recording/record-check.ts: { watch: check.watchId }',
    'shared/monitor/checks/stored-body.server.ts: { watch: watchId }',
    "shared/monitor/heartbeat.ts: 'statement'",
    "shared/monitor/heartbeat.ts: 'statement'",
    "shared/monitor/hosts/host-turns.ts: 'statement'",
    "shared/monitor/hosts/host-turns.ts: 'statement'",
    "shared/monitor/hosts/stored-robots.ts: 'statement'",
    "shared/monitor/product-schedule.ts: 'statement'",
    "shared/monitor/product-schedule.ts: 'statement'",
    "shared/outbox/define-outbox.ts: 'statement'",
    "shared/outbox/define-outbox.ts: 'statement'",
    "shared/outbox/define-outbox.ts: 'statement'",
    'shared/outbox/outbox-sender.ts: work.scopeOf?.(attempts)',
    'shared/tokens/consume-tokens.ts: { account: accountId }',
    'shared/tokens/proxy-config.server.ts: { account: accountId }',
  ]);
});
