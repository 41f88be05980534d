/** Colours as DICOM recommends them for showing: CIELab by D50, in 16 bits (PS3.3 C.10.7.1.1), to and from sRGB (IEC 61966-2-1). */

const white = [0.96422, 1, 0.82521] as const
/** From linear sRGB, with Bradford's adaptation from D65 to D50. */
const toXyz = [
  [0.4360747, 0.3850649, 0.1430804],
  [0.2225045, 0.7168786, 0.0606169],
  [0.0139322, 0.0971045, 0.7141733],
] as const
const fromXyz = [
  [3.1338561, -1.6168667, -0.4906146],
  [-0.9787684, 1.9161415, 0.033454],
  [0.0719453, -0.2289914, 1.4052427],
] as const

/** `#rrggbb` as three numbers of 16 bits. */
export function labOf(colour: string): [number, number, number] {
  const number = Number.parseInt(colour.slice(1), 16)
  const linear = [16, 8, 0].map((shift) => {
    const part = ((number >> shift) & 255) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const [x = 0, y = 0, z = 0] = toXyz.map((row, index) => {
    const share = sum(row, linear) / (white[index] ?? 1)
    return share > 216 / 24389 ? Math.cbrt(share) : (share * 24389) / 27 / 116 + 16 / 116
  })
  const [light, a, b] = [116 * y - 16, 500 * (x - y), 200 * (y - z)]
  const within = (value: number): number => Math.max(0, Math.min(65_535, Math.round(value)))
  return [within((light * 65_535) / 100), within((a + 128) * 257), within((b + 128) * 257)]
}

/** Null where these are not three numbers. */
export function colourOfLab([light = Number.NaN, a = Number.NaN, b = Number.NaN]: readonly number[]):
  | string
  | null {
  if (![light, a, b].every(Number.isFinite)) return null
  const y = ((light * 100) / 65_535 + 16) / 116
  const parts = [y + (a / 257 - 128) / 500, y, y - (b / 257 - 128) / 200]
  const xyz = parts.map((part, index) => {
    const share = part ** 3 > 216 / 24389 ? part ** 3 : ((116 * part - 16) * 27) / 24389
    return share * (white[index] ?? 1)
  })
  const bytes = fromXyz.map((row) => {
    const part = Math.max(0, Math.min(1, sum(row, xyz)))
    return Math.round(255 * (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055))
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

const sum = (row: readonly number[], values: readonly number[]): number =>
  row.reduce((total, factor, index) => total + factor * (values[index] ?? 0), 0)
