import { useSyncExternalStore } from 'react';
import type { Device } from './detect-device';

const subscribe = () => () => undefined;

/**
 * The device, corrected by what only scripts see: iPadOS sends the user agent of a Mac, but no Mac has a touch screen
 * (developer.apple.com, Navigator.maxTouchPoints).
 */
export function useDevice(detected: Device): Device {
  const touch = useSyncExternalStore(
    subscribe,
    () => navigator.maxTouchPoints > 1,
    () => false,
  );
  return detected === 'macos' && touch ? 'handheld' : detected;
}
