import type { PushDevice } from '#shared/push/push-subscriptions';
import { FormNotice, useForms } from '~/components/forms/use-forms';
import { clockAndDay } from '~/components/time/time-format';
import { Button } from '~/components/ui/button';
import { describeDevice } from '#shared/accounts/describe-device';
import { PushSwitch } from './push-switch';

interface AlertDevicesProps {
  devices: readonly PushDevice[];
  pushKey: string | null;
  wanted: boolean;
  now: string;
}

/** The devices with notifications. `pushKey`: the site's key. `wanted`: the saved preference for notifications. */
export function AlertDevices({ devices, pushKey, wanted, now }: AlertDevicesProps) {
  const { Form, result, pending } = useForms(['removeDevice']);
  const nowMs = Date.parse(now);
  return (
    <section aria-labelledby="devices-title" className="grid gap-3 border-t border-line pt-4">
      <h3 id="devices-title" className="font-semibold">
        Devices with notifications
      </h3>
      <FormNotice result={result} />
      {devices.length === 0 ? (
        <p className="text-soft">None of your devices receive notifications yet.</p>
      ) : (
        <ul className="divide-y divide-line">
          {devices.map(({ id, userAgent, createdAt, lastSentAt, endedAt }) => {
            const device = describeDevice(userAgent);
            return (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-5 gap-y-2 py-3">
                <div className="min-w-0">
                  <p className="font-semibold wrap-anywhere">{device}</p>
                  <p className="text-small text-soft">
                    Added <time dateTime={createdAt}>{clockAndDay(createdAt, nowMs)}</time>
                    {lastSentAt === null ? null : (
                      <>
                        , last notification{' '}
                        <time dateTime={lastSentAt}>{clockAndDay(lastSentAt, nowMs)}</time>
                      </>
                    )}
                  </p>
                  {endedAt === null ? null : (
                    <p className="text-small text-live">
                      Its notifications ended <time dateTime={endedAt}>{clockAndDay(endedAt, nowMs)}</time>.
                      Open this page there to turn them on again.
                    </p>
                  )}
                </div>
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="deviceId" value={id} />
                  <Button name="intent" value="removeDevice" pending={pending?.get('deviceId') === id}>
                    Remove
                    <span className="sr-only"> {device}</span>
                  </Button>
                </Form>
              </li>
            );
          })}
        </ul>
      )}
      <PushSwitch devices={devices} publicKey={pushKey} wanted={wanted} />
    </section>
  );
}
