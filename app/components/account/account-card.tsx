import type { ReactNode } from 'react';

/** The single card of an account page, as its main element. */
export function AccountCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" tabIndex={-1} className="wrap grid justify-items-center py-10 outline-none sm:py-16">
      <div className="w-full max-w-[27rem] rounded-card border border-line bg-surface p-6 shadow-card sm:p-8">
        <h1 className="text-title">{title}</h1>
        <div className="mt-4 grid gap-5">{children}</div>
      </div>
    </main>
  );
}
