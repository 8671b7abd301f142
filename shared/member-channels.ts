/** The channels over which members get their alerts. */
export const MEMBER_CHANNELS = ['email', 'push'] as const;

export type MemberChannel = (typeof MEMBER_CHANNELS)[number];
