import { z } from 'zod';

/** Longer than any id that a client makes up, such as a UUID with the name of a shop. */
const MAX_TASK_ID_LENGTH = 100;
const RULE = `taskId is a text of 1 to ${MAX_TASK_ID_LENGTH} characters.`;

/** The id that a client gives to a checkout attempt. Visible ASCII, so that ids that look the same are the same. */
export const taskIdField = z
  .string({ error: ({ input }) => (input === undefined ? 'taskId is required.' : RULE) })
  .min(1, RULE)
  .max(MAX_TASK_ID_LENGTH, RULE)
  .regex(/^[\x21-\x7e]*$/, 'taskId has no spaces and only ASCII characters.')
  .describe('Names one checkout attempt. Chosen by the client, for example a UUID.');
