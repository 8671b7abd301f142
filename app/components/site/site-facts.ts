import { useRouteLoaderData } from '@remix-run/react';
import type { Consent } from '#shared/site/consent';
import type { FormResult } from '#shared/site/form-result';
import type { Theme } from '#shared/site/theme';

/** The signed-in user, as every page gets it. */
export interface SignedIn {
  id: string;
  /** The display name. */
  name: string;
  /** The URL of the Discord avatar; null if there is none. */
  avatarUrl: string | null;
  admin: boolean;
  /** Whether the user has beta access or has requested it. */
  beta: 'none' | 'requested' | 'approved';
}

/** The data of every page; the root route loads it. */
export interface SiteFacts {
  theme: Theme;
  appUrl: string;
  signedIn: SignedIn | null;
  /** Whether the news section is on. */
  newsEnabled: boolean;
  /** Null before a choice, or if the cookie is unreadable. */
  consent: Consent | null;
  /** The result of the form that redirected here; shown once. */
  flash: FormResult | null;
}

const DEFAULT_FACTS: SiteFacts = {
  theme: 'system',
  appUrl: '',
  signedIn: null,
  newsEnabled: false,
  consent: null,
  flash: null,
};

/** Returns the current page's site facts; defaults on an error page, where the root loader may have failed. */
export function useSiteFacts(): SiteFacts {
  return useRouteLoaderData<SiteFacts>('root') ?? DEFAULT_FACTS;
}
