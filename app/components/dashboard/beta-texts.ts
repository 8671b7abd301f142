/** The specification's sentence for a beta request that fails (section 8). */
export const REQUEST_BETA_FAILED = 'Failed to request beta access. Please try again.';
