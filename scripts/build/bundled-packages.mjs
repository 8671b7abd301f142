/**
 * Packages of many files, which are part of our builds: to find and to read their files took a third of a process's start.
 */
export const BUNDLED_PACKAGES = ['kysely', 'stripe', 'nodemailer', 'zod', 'rate-limiter-flexible'];
