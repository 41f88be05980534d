/** Makes public ids. Never for secrets: those are drawn where they are checked. */
import { nanoid } from 'nanoid'

/** 96 bits in 16 characters that need no escaping in addresses. */
export const newId = (): string => nanoid(16)
