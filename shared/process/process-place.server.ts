import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process runs. A host name is no proof: containers and machines of one image often share it. */
export interface ProcessPlace {
  host: string;
  /** New at each start of the machine (Linux: random(4)). Null where the system has none. */
  bootId: string | null;
  /**
   * Process ids are unique within one namespace; each container has its own (Linux: pid_namespaces(7)). Null where the system
   * has none.
   */
  pidNamespace: string | null;
}

/** The result of `read`; null if this system does not have the file. */
function attempt(read: () => string): string | null {
  try {
    return read().trim();
  } catch {
    return null;
  }
}

/** Where this process runs. */
export function readProcessPlace(): ProcessPlace {
  return {
    host: hostname(),
    bootId: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    pidNamespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
  };
}
