/** Names for steps, strokes and things that no other page makes too. */
export const newId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(16)), sign).join('')

const SIGNS = 'abcdefghijklmnopqrstuvwxyz012345'
const sign = (byte: number): string => SIGNS[byte & 31] ?? ''
