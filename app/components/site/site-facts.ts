import { useRouteLoaderData } from '@remix-run/react';
import type { Consent } from '~/components/consent/consent';
import type { FormResult } from '~/components/forms/result';
import type { Theme } from '~/components/theme/theme';

/** Somebody who is signed in, as far as every page may know. */
export interface SignedIn {
  id: string;
  /** What to call them. */
  name: string;
  /** Where their Discord picture is served; null: they have none. */
  picture: string | null;
  admin: boolean;
  /** Whether they have beta access, or have requested it. */
  beta: 'none' | 'requested' | 'approved';
}

/** What every page knows; read by the root route. */
export interface SiteFacts {
  theme: Theme;
  appUrl: string;
  signedIn: SignedIn | null;
  /** Whether there is a news section to link to. */
  newsEnabled: boolean;
  /** Null: not asked yet, or not readable any more. */
  consent: Consent | null;
  /** What the form did that led here; shown once. */
  flash: FormResult | null;
}

const NOTHING_KNOWN: SiteFacts = {
  theme: 'system',
  appUrl: '',
  signedIn: null,
  newsEnabled: false,
  consent: null,
  flash: null,
};

/** The facts of the page at hand; on an error page, whose own loader may have failed, nothing is known. */
export function useSiteFacts(): SiteFacts {
  return useRouteLoaderData<SiteFacts>('root') ?? NOTHING_KNOWN;
}
