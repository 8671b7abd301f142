import { useRevalidator } from '@remix-run/react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { PRODUCT_NAME } from '#shared/brand';
import { Button } from '~/components/ui/button';
import { Notice } from '~/components/ui/notice';
import { useHydrated } from '~/components/ui/use-hydrated';
import {
  PushFailure,
  readPushState,
  renewPush,
  turnPushOff,
  turnPushOn,
  watchPermission,
  type KnownDevice,
  type PushState,
} from './push-browser';
import { HOME_SCREEN_STEPS, stepsToAllow, UNSUPPORTED_STEPS } from './push-steps';

const HINTS: Record<PushState['kind'], string> = {
  unsupported: 'This browser cannot receive notifications.',
  'add-to-home-screen': `iPhone and iPad show notifications of ${PRODUCT_NAME} only from the Home Screen.`,
  denied: 'Notifications from this site are blocked. To allow them:',
  off: 'This browser does not show notifications from us.',
  lost: 'Notifications in this browser have stopped. This page is turning them on again.',
  on: 'This browser shows a notification the moment a waiting room opens.',
};

/** The steps for a member where no button of this page helps. */
function stepsOf(state: PushState): readonly string[] {
  switch (state.kind) {
    case 'denied':
      return stepsToAllow(navigator.userAgent);
    case 'add-to-home-screen':
      return HOME_SCREEN_STEPS;
    case 'unsupported':
      return UNSUPPORTED_STEPS;
    default:
      return [];
  }
}

/** The state of this browser; null until it is known. Follows the stored devices and the browser's permission. */
function usePushState(devices: readonly KnownDevice[], publicKey: string | null): PushState | null {
  const [state, setState] = useState<PushState | null>(null);
  useEffect(() => {
    let current = true;
    const read = () =>
      readPushState(devices, publicKey).then(
        (next) => current && setState(next),
        () => current && setState({ kind: 'unsupported' }),
      );
    void read();
    const stop = watchPermission(() => void read());
    return () => {
      current = false;
      stop();
    };
  }, [devices, publicKey]);
  return state;
}

interface PushSwitchProps {
  devices: readonly KnownDevice[];
  publicKey: string | null;
  wanted: boolean;
}

/**
 * Turns notifications on and off in the browser that shows the page; it asks for permission only when pressed, and
 * subscribes again automatically when the subscription of this browser is lost. `devices`: the member's stored browsers.
 * `publicKey`: the site's key for subscriptions. `wanted`: the saved preference for notifications, which turning on also
 * sets.
 */
export function PushSwitch({ devices, publicKey, wanted }: PushSwitchProps) {
  const hydrated = useHydrated();
  const state = usePushState(devices, publicKey);
  const { revalidate } = useRevalidator();
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);

  const change = useCallback(
    async (work: () => Promise<void>): Promise<void> => {
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
    },
    [revalidate],
  );

  // Once for each lost device: after a failure the member presses the button.
  const renewed = useRef<string | null>(null);
  const lostId = state?.kind === 'lost' ? state.deviceId : null;
  useEffect(() => {
    if (lostId === null || renewed.current === lostId) return;
    renewed.current = lostId;
    void change(() => renewPush(lostId));
  }, [lostId, change]);

  const steps = state === null ? [] : stepsOf(state);

  return (
    <div className="grid justify-items-start gap-3" data-push-state={state?.kind}>
      <p className="text-soft" aria-live="polite">
        {state !== null ? HINTS[state.kind] : hydrated ? 'Checking this browser…' : null}
      </p>
      {steps.length === 0 ? null : (
        <div className="grid gap-1.5 border-l border-line pl-4 text-soft">
          {steps.map((step) => (
            <p key={step}>{step}</p>
          ))}
        </div>
      )}
      <p className="hidden text-soft noscript:block">
        Turning on notifications in a browser needs JavaScript.
      </p>
      {state?.kind === 'on' && !wanted ? (
        <p className="text-soft">Notifications are switched off in your preferences, so none are sent.</p>
      ) : null}
      {failure === null ? null : <Notice kind="error">{failure}</Notice>}
      {state?.kind === 'lost' && failure !== null ? (
        <Button type="button" pending={pending} onClick={() => void change(() => renewPush(state.deviceId))}>
          Turn on notifications in this browser
        </Button>
      ) : null}
      {state?.kind === 'off' ? (
        <Button type="button" pending={pending} onClick={() => void change(() => turnPushOn({ wanted }))}>
          Turn on notifications in this browser
        </Button>
      ) : null}
      {state?.kind === 'on' ? (
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
