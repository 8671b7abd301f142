import { useSyncExternalStore } from 'react';
import type { Device } from './detect-device';

const subscribe = () => () => undefined;

/** The device, corrected by scripts: iPadOS sends the user agent of a Mac, which has no touch screen (maxTouchPoints). */
export function useDevice(detected: Device): Device {
  const touch = useSyncExternalStore(
    subscribe,
    () => navigator.maxTouchPoints > 1,
    () => false,
  );
  return detected === 'macos' && touch ? 'handheld' : detected;
}
