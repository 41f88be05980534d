/** Shares of a whole as people of a language write them. Stands apart from the product's own formats, which know its session. */

/** 0.984 → 98.4 %; small ones keep a digit that tells. */
export function percent(share: number, language: string): string {
  const digits = share > 0 && share < 0.1 ? 2 : 1
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: digits }).format(share)
}
