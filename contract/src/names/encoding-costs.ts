/**
 * How unlikely bytes are in an old encoding: minus the logarithm of the share that each character has in texts of its
 * language. Lower is likelier, and what cannot be decoded at all is infinite. Shares are rounded: only their order counts.
 */
import { commonHan } from './common-characters.ts'
import { decoderOf, type OldEncoding } from './encodings.ts'

export function costOf(bytes: Uint8Array, encoding: OldEncoding): number {
  const pair = pairs[encoding]
  return pair ? pairedCost(bytes, encoding, pair) : singleCost(bytes, encoding)
}

const NEVER = 18
const PLAIN = 3.5

type PairCost = (lead: number, trail: number, sign: string) => number
type Pairs = { isLead: (byte: number) => boolean; cost: PairCost; single: number }

/** Encodings of one or two bytes a character. */
const pairs: Partial<Record<OldEncoding, Pairs>> = {
  gb18030: {
    isLead: (byte) => byte >= 0x81 && byte <= 0xfe,
    cost(lead, trail, sign) {
      if (commonHan.has(sign)) return 6.5
      if (trail < 0xa1) return 15
      if (lead >= 0xb0 && lead <= 0xd7) return 9.6
      if (lead >= 0xd8 && lead <= 0xf7) return 12.8
      return lead >= 0xa1 && lead <= 0xa3 ? 9 : NEVER
    },
    single: NEVER,
  },
  big5: {
    isLead: (byte) => byte >= 0x81 && byte <= 0xfe,
    cost(lead, _trail, sign) {
      if (commonHan.has(sign)) return 6.5
      if (lead >= 0xa4 && lead <= 0xc6) return 9.9
      if (lead >= 0xc9 && lead <= 0xf9) return 13.5
      return lead >= 0xa1 && lead <= 0xa3 ? 9 : NEVER
    },
    single: NEVER,
  },
  shift_jis: {
    isLead: (byte) => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc),
    cost(lead, trail, sign) {
      if (/[ぁ-んァ-ヶー]/.test(sign)) return 5.6
      if (commonHan.has(sign)) return 7.2
      if (lead >= 0x88 && lead <= 0x97) return 9.2
      if (lead === 0x81 || (lead === 0x82 && trail < 0x9f)) return 9
      return lead >= 0x98 && lead <= 0xea ? 13.4 : NEVER
    },
    // Half-width katakana.
    single: 9.5,
  },
}

function pairedCost(bytes: Uint8Array, encoding: OldEncoding, { isLead, cost, single }: Pairs): number {
  const decoder = decoderOf(encoding, 'strict')
  let sum = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0
    const trail = bytes[at + 1] ?? 0
    if (lead < 0x80) sum += PLAIN
    else if (!isLead(lead)) sum += single
    else {
      // Four bytes: signs that hardly anybody writes.
      const isLong = encoding === 'gb18030' && trail >= 0x30 && trail <= 0x39
      const sign = decoded(decoder, bytes.subarray(at, at + (isLong ? 4 : 2)))
      // The sample may end in the middle of a character.
      if (sign === null) return bytes.length - at < 4 && at > CUT ? sum : Number.POSITIVE_INFINITY
      sum += isLong ? 2 * NEVER : cost(lead, trail, sign)
      at += isLong ? 3 : 1
    }
  }
  return sum
}

const CUT = 4096

function decoded(decoder: ReturnType<typeof decoderOf>, bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Of a thousand letters of Russian text. */
const russian: Record<string, number> = {
  ...{ о: 110, е: 85, а: 80, и: 74, н: 67, т: 63, с: 55, р: 47, в: 45, л: 44, к: 35, м: 32, д: 30, п: 28 },
  ...{ у: 26, я: 20, ы: 19, ь: 17, г: 17, з: 16, б: 16, ч: 14, й: 12, х: 10, ж: 9, ш: 7, ю: 6, ц: 5, щ: 4 },
  ...{ э: 3, ф: 3, ъ: 1, ё: 1, і: 1, ї: 1, є: 1, ґ: 1, ў: 1 },
}
type Kind = 'latin' | 'lower' | 'upper' | 'other'

/** Encodings of one byte a character: Cyrillic as letters of words, Western letters among plain ones. */
function singleCost(bytes: Uint8Array, encoding: OldEncoding): number {
  const text = decoderOf(encoding, 'lenient').decode(bytes)
  let sum = 0
  let before: Kind = 'other'
  for (const sign of text) {
    const kind = kindOf(sign, encoding)
    sum += signCost(sign, encoding) + (following[`${before} ${kind}`] ?? 0)
    before = kind
  }
  return sum
}

/** What one kind of letter costs after another: capitals begin words, and alphabets do not mix within them. */
const following: Record<string, number> = {
  'latin lower': 6,
  'latin upper': 6,
  'lower latin': 6,
  'upper latin': 6,
  'lower upper': 6,
  'upper upper': 1.5,
  'upper lower': 0.5,
  'other lower': 0.7,
  'other upper': 0.7,
}

function kindOf(sign: string, encoding: OldEncoding): Kind {
  if (/[A-Za-z]/.test(sign)) return 'latin'
  if (encoding === 'windows-1252' || !/\p{L}/u.test(sign)) return 'other'
  return sign === sign.toLowerCase() ? 'lower' : 'upper'
}

function signCost(sign: string, encoding: OldEncoding): number {
  if (sign < '\u0080') return PLAIN
  if (encoding === 'windows-1252') return /[À-ÖØ-öø-ÿŠšŽžŒœŸ]/.test(sign) ? 7 : 11
  const share = russian[sign.toLowerCase()]
  if (share !== undefined) return -Math.log(share / 1000)
  return /[№«»–—“”„…]/.test(sign) ? 8 : 12
}
