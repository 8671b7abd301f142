import { Link } from '~/components/ui/button';
import type { ReactNode } from 'react';
import type { DisplayState } from '~/components/monitor/monitor-view';
import { StatePill } from '~/components/monitor/state-pill';
import { RELEASES_PATH } from '~/components/releases/release-addresses';
import { Card, Pocket } from '~/components/ui/card';
import { MEMBERS_PATH, ROLES_PATH } from '../admin/member-addresses';
import { ADMIN_SECTIONS, type AdminSectionPath } from '../admin/sections';

/** A line of facts per section; null if it could not be read. */
export interface AdminFacts {
  lines: Record<AdminSectionPath, string | null>;
  monitor: { state: DisplayState; label: string } | null;
  /** Of the releases; null if they could not be read. */
  releases: string | null;
}

/** All sections of the carousel: a binder page of six pockets, with links to the other pages below it. */
export function AdminOverview({ facts }: { facts: AdminFacts }) {
  return (
    <div className="grid gap-5">
      <Sections facts={facts} />
      <BesideCard id="releases-heading" to={RELEASES_PATH} name="Releases">
        {facts.releases ?? 'Couldn’t be loaded.'}
      </BesideCard>
      <BesideCard id="members-heading" to={MEMBERS_PATH} name="Members">
        Find a member: plan, tokens, sessions, and which alerts reached them.
      </BesideCard>
      <BesideCard id="roles-heading" to={ROLES_PATH} name="Discord Roles">
        Give members the roles of your Discord server.
      </BesideCard>
    </div>
  );
}

interface BesideCardProps {
  id: string;
  to: string;
  name: string;
  children: ReactNode;
}

function BesideCard({ id, to, name, children }: BesideCardProps) {
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="relative flex flex-wrap items-baseline gap-x-5 gap-y-1 p-5 [&:hover_a]:text-brand">
          <h2 id={id} className="text-lead leading-tight tracking-[-0.01em]">
            <Link
              to={to}
              prefetch="intent"
              className="no-underline after:absolute after:inset-0 after:rounded-card"
            >
              {name}
            </Link>
          </h2>
          <p className="min-w-0 wrap-anywhere text-soft">{children}</p>
        </div>
      </Card>
    </section>
  );
}

function Sections({ facts }: { facts: AdminFacts }) {
  return (
    <ol className="binder grid gap-3.5 sm:grid-cols-2 lg:punched lg:grid-cols-3">
      {ADMIN_SECTIONS.map(({ path, name }) => (
        // The link covers the whole pocket.
        <li key={path} className="relative grid [&>article]:hover:border-soft">
          <Pocket>
            <h2 className="text-lead leading-tight tracking-[-0.01em]">
              <Link
                to={path}
                prefetch="intent"
                className="no-underline after:absolute after:inset-0 after:rounded-pocket"
              >
                {name}
              </Link>
            </h2>
            <p className="text-soft">{facts.lines[path] ?? 'Couldn’t be loaded.'}</p>
            {path === '/dashboard/monitor' && facts.monitor !== null ? (
              <p>
                <StatePill {...facts.monitor} />
              </p>
            ) : null}
          </Pocket>
        </li>
      ))}
    </ol>
  );
}
