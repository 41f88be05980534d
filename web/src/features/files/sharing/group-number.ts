/** In groups of three, as people read a number to each other; the field for it takes spaces. */
export const spokenNumber = (number: string): string => number.replace(/\d{3}(?=\d)/g, '$&\u00a0')
