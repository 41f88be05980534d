export const opinionAddress = (opinionId: string): string => `/opinion?id=${opinionId}`

/** Where a new one is asked for in a chat. */
export const newOpinionAddress = (chatId: string): string => `/opinion?chat=${chatId}`
