import { useEffect, useRef, type ReactNode } from 'react';
import { ButtonLink } from './button';
import { OpenIcon, WarningIcon } from './icons';

const STYLES = {
  success: { className: 'border-open bg-open-wash text-open', role: 'status', icon: <OpenIcon /> },
  error: { className: 'border-live bg-live-wash text-live', role: 'alert', icon: <WarningIcon /> },
} as const;

/** The result of an action, in a green or red box that screen readers announce. */
export function Notice({ kind, children }: { kind: keyof typeof STYLES; children: ReactNode }) {
  const { className, role, icon } = STYLES[kind];
  return (
    <div role={role} className={`flex items-start gap-2.5 rounded-control border px-3.5 py-2.5 ${className}`}>
      <span className="mt-0.5">{icon}</span>
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  );
}

/** Says that what was just sent has failed. Scrolls into view for each new `result`: the button may be a screen away. */
export function FailureNotice({ result, children }: { result: unknown; children: ReactNode }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  return (
    <div ref={notice} className="scroll-my-24">
      <Notice kind="error">{children}</Notice>
    </div>
  );
}

/** An error in place of data that could not be loaded. `retryPath`: the path of its Try again link. */
export function LoadFailed({ retryPath, children }: { retryPath: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-4">
      <Notice kind="error">{children}</Notice>
      <ButtonLink href={retryPath}>Try again</ButtonLink>
    </div>
  );
}
