import { test as base, expect } from '@playwright/test';
import { randomBytes } from 'node:crypto';
import type { Stack } from './stack';

/** The shared stack, as far as it can be told to a test. */
export type SharedStack = Omit<Stack, 'stop'>;

function sharedStack(): SharedStack {
  const told = process.env.PACKWATCH_E2E_STACK;
  if (told === undefined) throw new Error('The stack is not there: global-setup.ts starts it.');
  return JSON.parse(told) as SharedStack;
}

/** Playwright's test with our stack; anything the browser complains about fails the test. */
export const test = base.extend<{ stack: SharedStack; quietConsole: void }>({
  // Playwright insists on a destructured first parameter, needed or not.
  stack: async ({ browserName: _unneeded }, use) => use(sharedStack()),
  // Limits count by address: no test uses up another one's.
  extraHTTPHeaders: async ({ browserName: _unneeded }, use) =>
    use({ 'X-Forwarded-For': `2001:db8:${randomBytes(2).toString('hex')}::1` }),
  baseURL: async ({ stack }, use) => use(stack.siteUrl),
  quietConsole: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await use();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
