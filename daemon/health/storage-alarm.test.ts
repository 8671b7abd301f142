import { afterEach, expect, test, vi } from 'vitest';
import type { DeliverySenderContext } from '#shared/alerts/deliveries/send-delivery.server';
import { MINUTE } from '#shared/clock';
import { createStorageAlarm } from './storage-alarm';

afterEach(() => vi.restoreAllMocks());

test('files that cannot be stored are reported after two minutes, again after half an hour, and not once they can', async () => {
  const mails: string[] = [];
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  // What a warning by mail needs.
  const alarm = createStorageAlarm(
    {
      logger: { info: () => undefined, warn: () => undefined },
      mailer: {
        send: ({ text }: { text: string }) => Promise.resolve({ kind: 'ok', count: mails.push(text) }),
      },
      adminContacts: { emails: ['admin@packwatch.example'] },
      appUrl: 'https://packwatch.example',
    } as unknown as DeliverySenderContext,
    {
      claim: () => Promise.resolve(true),
      release: () => Promise.resolve(),
    },
  );
  const mailsAfter = async (minutes: number, fault: string | null): Promise<number> => {
    for (const end = now + minutes * MINUTE; now < end; now += MINUTE) await alarm.considerFiles(fault);
    return mails.length;
  };

  expect(await mailsAfter(2, 'S3 does not answer.')).toBe(0);
  expect(await mailsAfter(1, null)).toBe(0);
  expect(await mailsAfter(2, 'S3 does not answer.')).toBe(0);
  expect(await mailsAfter(1, 'S3 does not answer.')).toBe(1);
  expect(mails[0]).toMatch(/^S3 does not answer\. .*\n\nhttps:\/\/packwatch\.example\n$/);
  expect(await mailsAfter(29, 'S3 does not answer.')).toBe(1);
  expect(await mailsAfter(1, 'S3 does not answer.')).toBe(2);
  expect(await mailsAfter(60, null)).toBe(2);
});
