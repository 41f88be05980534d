/** Masks drawn with characters, and masks by chance from a seed. */

/** Rows of `.` and `#`; any other character than `.` and space counts as drawn. */
export function drawn(...rows: string[]): { width: number; height: number; values: Uint8Array } {
  const width = rows[0]?.length ?? 0
  const values = Uint8Array.from(rows.join(''), (character) => (character === '.' ? 0 : 1))
  if (values.length !== width * rows.length) throw new Error('rows of different lengths')
  return { width, height: rows.length, values }
}

/** Blobs: noise, made smoother by the majority of its surroundings so many times. */
export function byChance(
  { below }: { below: (limit: number) => number },
  { width, height, rounds }: { width: number; height: number; rounds: number },
): { width: number; height: number; values: Uint8Array } {
  let values = Uint8Array.from({ length: width * height }, () => below(2))
  for (let round = 0; round < rounds; round++) {
    values = values.map((_, at) => {
      let sum = 0
      for (const dy of [-1, 0, 1]) {
        for (const dx of [-1, 0, 1]) {
          const [x, y] = [(at % width) + dx, Math.floor(at / width) + dy]
          if (x >= 0 && y >= 0 && x < width && y < height) sum += values[y * width + x] ?? 0
        }
      }
      return sum >= 5 ? 1 : 0
    })
  }
  return { width, height, values }
}
