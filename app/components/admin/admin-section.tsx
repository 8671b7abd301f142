import type { ReactNode } from 'react';

/** A section of the admin dashboard under its heading, with a line on what it is for. */
export function AdminSection({
  heading,
  intro,
  children,
}: {
  heading: string;
  intro: ReactNode;
  children: ReactNode;
}) {
  return (
    <>
      <h1 className="text-heading">{heading}</h1>
      <p className="mt-2 mb-6 max-w-[44em] text-soft">{intro}</p>
      {children}
    </>
  );
}
