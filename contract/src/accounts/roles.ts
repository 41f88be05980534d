/** 0 member, 1 service provider, 2 administrator, 3 member of a partner institution. */
export const roles = { member: 0, provider: 1, administrator: 2, partner: 3 } as const
