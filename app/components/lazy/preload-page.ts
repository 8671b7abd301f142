import { matchRoutes } from '@remix-run/react';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { loadAllParts } from './page-part';

type Routes = Parameters<typeof matchRoutes>[0];
type Address = Parameters<typeof matchRoutes>[1];

/** The ids of the routes of a page of this site. */
export function routeIdsOf(address: Address): string[] {
  const routes = window.__remixRouter.routes as Routes;
  return (matchRoutes(routes, address) ?? []).map(({ route }) => route.id ?? '');
}

/** Loads the script of a route, and those of its parts. Rejects when one does not load. */
export async function loadRouteScript(routeId: string): Promise<void> {
  const address = window.__remixManifest.routes[routeId]?.module;
  if (address === undefined) return;
  await import(/* @vite-ignore */ address);
  await loadAllParts();
}

/** Loads the scripts of a page of this site before it is opened. Returns whether all have loaded. Never throws. */
export async function preloadPage(address: Address): Promise<boolean> {
  try {
    await Promise.all(routeIdsOf(address).map(loadRouteScript));
    return true;
  } catch {
    return false;
  }
}

interface OtherPageForm {
  action: string;
  reloadDocument: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/**
 * The properties of a form that another page takes. Loads the script of that page, which says when the form could not be
 * sent; a press before waits for it. If the script is missing, the browser sends the form itself: Remix would reload this
 * page, and lose what was typed. `address`: of the page, with a slash at the beginning.
 */
export function useOtherPage(address: string): OtherPageForm {
  const [tried, setTried] = useState<{ address: string; loaded: boolean } | null>(null);
  const held = useRef<{ form: HTMLFormElement; submitter: HTMLElement | null } | null>(null);
  const isTried = tried?.address === address;

  useEffect(() => {
    let unmounted = false;
    void preloadPage(address).then((loaded) => {
      if (!unmounted) setTried({ address, loaded });
    });
    return () => {
      unmounted = true;
    };
  }, [address]);

  useEffect(() => {
    if (!isTried || held.current === null) return;
    const { form, submitter } = held.current;
    held.current = null;
    form.requestSubmit(submitter);
  }, [isTried]);

  return {
    action: address,
    reloadDocument: isTried && !tried.loaded,
    onSubmit: (event) => {
      if (isTried) return;
      event.preventDefault();
      held.current = { form: event.currentTarget, submitter: (event.nativeEvent as SubmitEvent).submitter };
    },
  };
}
