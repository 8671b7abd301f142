/** The database schema is not that of this release. Nothing was changed. */
export class SchemaError extends Error {
  override name = 'SchemaError';
  readonly code: 'database_missing' | 'database_unmigrated' | 'database_newer';

  constructor(code: SchemaError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** A newer release has migrated the database. */
export class NewerSchemaError extends SchemaError {
  override name = 'NewerSchemaError';

  constructor(names: readonly string[]) {
    super(
      'database_newer',
      `The database knows migrations that this release does not: ${names.join(', ')}. Start the newer release, or restore the backup made before it.`,
    );
  }
}
