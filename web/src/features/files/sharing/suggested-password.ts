/** 32 letters and digits of which none is taken for another one. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789'
const LENGTH = 8

/** At random, short enough to be told on the telephone: 40 bits. */
export const suggestedPassword = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(LENGTH)), (byte) => LETTERS[byte % LETTERS.length]).join(
    '',
  )
