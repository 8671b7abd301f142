import { tool as admin } from '../../daemon/cli/admin';
import { tool as backup } from '../../daemon/cli/backup';
import { tool as copyDatabase } from '../../daemon/cli/copy-database';
import { tool as members } from '../../daemon/cli/members';
import { tool as migrate } from '../../daemon/cli/migrate';
import { tool as monitor } from '../../daemon/cli/monitor';
import { tool as packages } from '../../daemon/cli/packages';
import { tool as payments } from '../../daemon/cli/payments';
import { tool as restore } from '../../daemon/cli/restore';
import { tool as seed } from '../../daemon/cli/seed';
import { tool as uploads } from '../../daemon/cli/uploads';

/** The programs of `npm run`. What only a process shows is tested with `scripts/processes/run-tool.mjs`. */
export const TOOLS = {
  admin,
  backup,
  'copy-database': copyDatabase,
  members,
  migrate,
  monitor,
  packages,
  payments,
  restore,
  seed,
  uploads,
};
export type ToolName = keyof typeof TOOLS;
