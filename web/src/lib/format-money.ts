/** Money as people of the chosen language write it. For papers, the contract's `yuanText` writes both digits of fen. */
import { currentTag } from './i18n.ts'

const FEN_A_YUAN = 100

/** 500000 → "CN¥5,000", "¥5,000" in China; fen only where there are any. */
export function formatFen(fen: number): string {
  const digits = fen % FEN_A_YUAN === 0 ? 0 : 2
  return new Intl.NumberFormat(currentTag(), {
    style: 'currency',
    currency: 'CNY',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(fen / FEN_A_YUAN)
}
