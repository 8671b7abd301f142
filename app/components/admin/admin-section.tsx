import type { ReactNode } from 'react';
import { Notice } from '~/components/ui/notice';

/** A section of the admin dashboard under its heading, with a line on what it is for. */
export function AdminSection({
  heading,
  intro,
  notice = null,
  children,
}: {
  heading: string;
  intro: ReactNode;
  /** What the form did that led back here. */
  notice?: string | null;
  children: ReactNode;
}) {
  return (
    <>
      <h1 className="text-heading">{heading}</h1>
      <p className="mt-2 mb-6 max-w-[44em] text-soft">{intro}</p>
      {notice === null ? null : (
        <div className="mb-5">
          <Notice kind="success">{notice}</Notice>
        </div>
      )}
      {children}
    </>
  );
}
