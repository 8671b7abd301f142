import type { AlertView } from '#shared/alerts/list-alerts';
import type { MemberResult } from '#shared/member-alerts/member-results';
import type { ProductJudgement } from '#shared/monitor/checks/verdict';
import type { DescribedOffer } from '#shared/monitor/watches/describe-watch';
import type { MonitoringHours } from '#shared/monitor/monitoring-hours';
import type { MonitorStatus, VerdictSpan } from '#shared/monitor/read-status.server';

/** The identity of a watch on its screen. */
export interface MonitoredWatch {
  slug: string;
  title: string;
  /** IANA name of the time zone of its hours. */
  timeZone: string;
  /** It cannot be deleted. */
  permanent: boolean;
}

/** The newest alert with the results of its deliveries. */
export interface LastAlert extends AlertView {
  /** Null if the deliveries to members could not be read. */
  members: { complete: boolean; results: MemberResult[] } | null;
}

/** The current state of a product watch. */
export interface LiveOffer extends DescribedOffer {
  /** The result of the last check; null before the first. */
  seen: Pick<ProductJudgement, 'availability' | 'detail' | 'unknownReason'> | null;
  /** Since when the offer is as it is settled; null before the first conclusive check. */
  since: string | null;
  /** The host of the shop. */
  shopHost: string;
  /** Whether the shop's canary holds its verdicts back. */
  isHeld: boolean;
  /** The last known state of its host's robots.txt; null before the first read. */
  robots: { kind: 'rules' | 'none' | 'unreachable'; readAt: string } | null;
  /** Why robots.txt keeps its page from being requested; null when it does not. */
  robotsRefusal: string | null;
}

/** The current state of a watch. */
export interface LiveWatch {
  /** Null for a waiting room. */
  offer: LiveOffer | null;
  status: MonitorStatus;
  /** Since when the checks agree with the last one. */
  span: VerdictSpan | null;
  /** Null without a check, or without an answer. */
  lastHttpStatus: number | null;
  startedAt: string | null;
  /** Null: no alert yet, or it could not be read. */
  alert: LastAlert | null;
  /** The server's time when it read this state (ISO-8601). */
  now: string;
  /** The last refresh failed; set in the browser only. */
  lost?: boolean;
}

/** The settings that the screen's form changes. */
export interface WatchSettings {
  intervalSeconds: number;
  hours: MonitoringHours;
  /** "9am to 9pm" */
  hoursInWords: string;
  scrappeyDailyLimit: number;
  roleInstant: string;
  roleFree: string;
}
