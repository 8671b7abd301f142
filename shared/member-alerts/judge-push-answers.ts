import type { FaultGuard, ServiceFault } from '../push/fault-guard';
import type { MemberAttempt } from './record-outcomes';

/**
 * Counts the answers of push services. A refusal that belongs to a fault of the service, or to one of ours, fails its
 * delivery instead of ending the subscription. Call it once for each attempt.
 */
export function judgePushAnswers(
  ended: readonly MemberAttempt[],
  guard: FaultGuard,
): { attempts: MemberAttempt[]; faults: (ServiceFault & { reason: string })[] } {
  const faults = new Map<string, ServiceFault & { reason: string }>();
  const attempts = ended.map((attempt): MemberAttempt => {
    const { row, outcome, pushHost } = attempt;
    // A test says nothing about other members, and any account can send one to a host that it chose.
    if (pushHost === null || row.alert_id === null) return attempt;
    if (outcome.is === 'ok') guard.count(pushHost, 'accepted');
    if (outcome.is !== 'gone' && outcome.is !== 'refused') return attempt;
    const fault = guard.count(pushHost, outcome.is);
    if (fault === null) return attempt;
    const { status, reason } = outcome;
    faults.set(`${fault.why} ${fault.host}`, { ...fault, reason });
    return { ...attempt, outcome: { is: 'rejected', status, reason, bounced: false } };
  });
  return { attempts, faults: [...faults.values()] };
}
