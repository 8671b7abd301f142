import type { DatabaseConfig } from '../database-config';

/** Names a database for operators: the path of its file, or the address of its server without user and password. */
export function describeDatabase(config: DatabaseConfig): string {
  if (config.engine === 'sqlite') return config.file;
  const { host, pathname } = new URL(config.url);
  return `postgres://${host}${pathname}`;
}
