import { startStack } from './stack';

/** Starts the stack that all tests share; what it returns takes it down again. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const redisUrl = process.env.REDIS_URL;
  if (redisUrl === undefined)
    throw new Error('REDIS_URL is not set: run these tests with npm test, which brings a Redis of its own.');
  const stack = await startStack(redisUrl);
  process.env.PACKWATCH_E2E_STACK = JSON.stringify({ ...stack, stop: undefined });
  return () => stack.stop();
}
