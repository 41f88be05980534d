/** Shares of a whole as people of a language write them. Stands apart from the product's own formats, which know its session. */

/** What is there and would be written as nothing. */
const LEAST = 0.001

/** 0.984 → 98.4 %, always with one decimal so that figures can be compared; what is there is never 0.0 %. */
export function percent(share: number, language: string): string {
  const format = new Intl.NumberFormat(language, {
    ...{ style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 },
  })
  return share > 0 && share < LEAST / 2 ? `< ${format.format(LEAST)}` : format.format(share)
}
