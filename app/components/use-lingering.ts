import { useEffect, useState } from 'react';

/** The value, and for `ms` after it went away its last one: what fades out has to stay until it has faded. */
export function useLingering<Value>(value: Value | null, ms: number): Value | null {
  const [kept, setKept] = useState(value);
  if (value !== null && value !== kept) setKept(value);
  useEffect(() => {
    if (value !== null) return;
    const timer = setTimeout(() => setKept(null), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return value ?? kept;
}
