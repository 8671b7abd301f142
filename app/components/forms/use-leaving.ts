import type { Fetcher } from '@remix-run/react';
import { useEffect, useState } from 'react';
import { SECOND } from '#shared/clock';

/** After this time without another document, a button that leads to one works again. */
const LEAVING_LIMIT_MS = 8 * SECOND;

/**
 * Calls `run` each time the browser shows the page, also from its back/forward cache (html.spec.whatwg.org, "pageshow"), which
 * keeps the state that the page was left in. `persisted`: whether it comes from there.
 */
export function usePageShown(run: (persisted: boolean) => void): void {
  useEffect(() => {
    const onShown = ({ persisted }: PageTransitionEvent) => run(persisted);
    window.addEventListener('pageshow', onShown);
    return () => window.removeEventListener('pageshow', onShown);
  });
}

/** Whether the browser is leaving for another document, and the setter. Ends when the page shows again or none arrives. */
export function useLeaving(): [leaving: boolean, leave: () => void] {
  const [leaving, setLeaving] = useState(false);
  usePageShown(() => setLeaving(false));
  useEffect(() => {
    if (!leaving) return;
    const timer = setTimeout(() => setLeaving(false), LEAVING_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [leaving]);
  return [leaving, () => setLeaving(true)];
}

type Submission = Pick<Fetcher, 'state' | 'formData'>;

/**
 * Returns a function that tells whether a submission has ended without its fetcher: a redirect to another document leaves
 * the fetcher loading, also when the browser shows this page again, or when that document does not arrive.
 */
export function useAbandoned(submissions: readonly Submission[]): (submission: Submission) => boolean {
  const [abandoned, setAbandoned] = useState<readonly FormData[]>([]);
  const sent = submissions.flatMap(({ state, formData }) =>
    state === 'idle' || formData === undefined ? [] : [{ state, formData }],
  );
  usePageShown((persisted) => {
    const ended = sent.filter(({ state }) => state === 'loading' || persisted);
    if (ended.length > 0) setAbandoned(ended.map(({ formData }) => formData));
  });
  const leaving = sent.find(
    ({ state, formData }) => state === 'loading' && !abandoned.includes(formData),
  )?.formData;
  useEffect(() => {
    if (leaving === undefined) return;
    const timer = setTimeout(() => setAbandoned((ended) => [...ended, leaving]), LEAVING_LIMIT_MS);
    return () => clearTimeout(timer);
  }, [leaving]);
  return ({ formData }) => formData !== undefined && abandoned.includes(formData);
}
