import { useRevalidator } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/ui/use-hydrated';
import {
  PushFailure,
  readPushState,
  turnPushOff,
  turnPushOn,
  watchPermission,
  type KnownDevice,
  type PushState,
} from './push-browser';

const HINTS: Record<PushState['is'], string> = {
  unsupported: 'This browser cannot receive notifications. Use another one, or alerts by email.',
  'add-to-home-screen': `iPhone and iPad need ${PRODUCT_NAME} on the Home Screen: tap Share, then Add to Home Screen, open it from there, and turn notifications on.`,
  denied:
    'Notifications from this site are blocked. Allow them in the browser’s settings for this site, then turn them on here.',
  off: 'This browser does not show notifications from us.',
  on: 'This browser shows a notification the moment a waiting room opens.',
};

/** The state of this browser; null until it is known. Follows the stored devices and the browser's permission. */
function usePushState(devices: readonly KnownDevice[]): PushState | null {
  const [state, setState] = useState<PushState | null>(null);
  useEffect(() => {
    let current = true;
    const read = () =>
      readPushState(devices).then(
        (next) => current && setState(next),
        () => current && setState({ is: 'unsupported' }),
      );
    void read();
    const stop = watchPermission(() => void read());
    return () => {
      current = false;
      stop();
    };
  }, [devices]);
  return state;
}

/**
 * Turns notifications on and off in the browser that shows the page; it asks for permission only when pressed. `devices`:
 * the member's stored browsers. `wanted`: the saved preference for notifications, which turning on also sets.
 */
export function PushSwitch({ devices, wanted }: { devices: readonly KnownDevice[]; wanted: boolean }) {
  const hydrated = useHydrated();
  const state = usePushState(devices);
  const { revalidate } = useRevalidator();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  async function change(work: () => Promise<void>): Promise<void> {
    setPending(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof PushFailure ? error.message : 'This did not work. Please try again.');
    }
    // The list of devices changes with this browser's state, also after a failure in between.
    revalidate();
    setPending(false);
  }

  return (
    <div className="grid justify-items-start gap-3" data-push-state={state?.is}>
      <p className="text-soft" aria-live="polite">
        {state !== null ? HINTS[state.is] : hydrated ? 'Checking this browser…' : null}
      </p>
      <p className="hidden text-soft noscript:block">
        Turning on notifications in a browser needs JavaScript.
      </p>
      {state?.is === 'on' && !wanted ? (
        <p className="text-soft">Notifications are switched off in your preferences, so none are sent.</p>
      ) : null}
      {failure === null ? null : <Notice kind="error">{failure}</Notice>}
      {state?.is === 'off' ? (
        <Button type="button" pending={pending} onClick={() => void change(() => turnPushOn({ wanted }))}>
          Turn on notifications in this browser
        </Button>
      ) : null}
      {state?.is === 'on' ? (
        <Button
          type="button"
          pending={pending}
          onClick={() => void change(() => turnPushOff(state.deviceId))}
        >
          Turn off notifications in this browser
        </Button>
      ) : null}
    </div>
  );
}
