/** How many products a member may follow. Apart from the fields, whose library browsers do not load. */
export const FOLLOW_LIMITS = { free: 5, pro: 100 } as const;
