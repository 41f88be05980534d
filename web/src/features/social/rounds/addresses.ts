export const roundAddress = (roundId: string): string => `/round?id=${roundId}`

/** Where a new one is opened in a chat. */
export const newRoundAddress = (chatId: string): string => `/round?chat=${chatId}`
