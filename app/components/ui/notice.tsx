import { useEffect, useRef, type ReactNode } from 'react';
import { ButtonLink } from './button';
import { OpenIcon, WarningIcon } from './icons';

const STYLES = {
  success: { className: 'border-open bg-open-wash text-open', role: 'status', icon: <OpenIcon /> },
  error: { className: 'border-live bg-live-wash text-live', role: 'alert', icon: <WarningIcon /> },
} as const;

interface NoticeProps {
  kind: keyof typeof STYLES;
  /** Whether a page that opens with the notice shows it at once, also far down. */
  autoFocus?: boolean;
  children: ReactNode;
}

/** The result of an action, in a green or red box that screen readers announce. */
export function Notice({ kind, autoFocus = false, children }: NoticeProps) {
  const { className, role, icon } = STYLES[kind];
  return (
    <div
      role={role}
      {...(autoFocus ? { autoFocus, tabIndex: -1 } : {})}
      className={`flex items-start gap-2.5 rounded-control border px-3.5 py-2.5 ${className}`}
    >
      <span className="mt-0.5">{icon}</span>
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  );
}

/** Says that what was just sent has failed. Scrolls into view for each new `result`: the button may be a screen away. */
export function FailureNotice({ result, ...notice }: Omit<NoticeProps, 'kind'> & { result: unknown }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, [result]);
  return (
    <div ref={place} className="scroll-my-24">
      <Notice kind="error" {...notice} />
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
