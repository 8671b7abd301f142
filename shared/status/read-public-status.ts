import type { Verdict } from '../monitor/checks/verdict';

/** The answer of /status.json (api.md). */
export interface PublicStatus {
  watches: {
    slug: string;
    shop: string;
    title: string;
    state: Verdict;
    since: string | null;
    lastCheck: string | null;
    checks: {
      day: { total: number; conclusive: number };
      ninetyDays: { total: number; conclusive: number };
    };
  }[];
  alerts: {
    watch: string;
    openedAt: string;
    closedAt: string | null;
    lastedSeconds: number | null;
    headStartSeconds: number | null;
  }[];
}
