/** Decides which advisories about production dependencies fail `npm run audit`. */

const FAILING = new Set(['high', 'critical']);

/** The advisories of a report of `npm audit --json` (version 2), each once, by its address. Null for any other answer. */
export function readAdvisories(report) {
  if (typeof report?.vulnerabilities !== 'object' || report.vulnerabilities === null) return null;
  const advisories = new Map();
  for (const { via = [] } of Object.values(report.vulnerabilities))
    for (const cause of via) {
      // A string refers to the entry with the cause.
      if (typeof cause === 'string') continue;
      const { name, severity, title, url } = cause;
      advisories.set(url, { id: url.split('/').at(-1), name, severity, title });
    }
  return [...advisories.values()];
}

/** The errors in docs/advisories.json, as sentences. */
function findPolicyFaults({ accepted }) {
  return accepted.flatMap(({ id, reason, until }) => [
    ...(/^\d{4}-\d{2}-\d{2}$/.test(until ?? '') ? [] : [`${id} has no date until which it is accepted.`]),
    ...(reason ? [] : [`${id} has no reason why it is accepted.`]),
  ]);
}

/**
 * Compares advisories with the policy (docs/advisories.json). `failures`: those that fail the audit, as sentences: high and
 * critical ones that the policy does not accept, or no longer. `notes`: all others. `today`: YYYY-MM-DD.
 */
export function judgeAdvisories(advisories, policy, today) {
  const failures = findPolicyFaults(policy);
  const notes = [];
  for (const { id, name, severity, title } of advisories) {
    const line = `${severity}: ${name}: ${title} (${id})`;
    const accepted = policy.accepted.find((entry) => entry.id === id);
    if (!FAILING.has(severity)) notes.push(line);
    else if (accepted === undefined) failures.push(line);
    else if (accepted.until < today) failures.push(`${line}; it was accepted until ${accepted.until}`);
    else notes.push(`${line}; accepted until ${accepted.until}: ${accepted.reason}`);
  }
  return { failures, notes };
}
