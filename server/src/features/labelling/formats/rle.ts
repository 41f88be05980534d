/**
 * Masks as runs: by columns, as COCO counts them (the texts as in `maskApi.c` of cocoapi, P. Dollár and T.-Y. Lin), and by rows, as
 * CVAT does. The first run is of what is not marked.
 */

/** A part of a plane. */
export type Crop = { x: number; y: number; width: number; height: number; values: Uint8Array }

/** Lengths of runs by columns of the whole plane. */
export function columnRuns(crop: Crop, height: number, width: number): number[] {
  const runs: number[] = []
  let [end, start] = [0, -1]
  const close = (at: number): void => {
    if (start < 0) return
    runs.push(start - end, at - start)
    end = at
    start = -1
  }
  for (let x = 0; x < crop.width; x++) {
    const column = (crop.x + x) * height + crop.y
    for (let y = 0; y < crop.height; y++) {
      const isIn = crop.values[y * crop.width + x] !== 0
      if (isIn && start < 0) start = column + y
      else if (!isIn) close(column + y)
    }
    if (crop.height < height) close(column + crop.height)
  }
  close((crop.x + crop.width) * height)
  if (end < width * height) runs.push(width * height - end)
  return runs
}

/** Lengths of runs by rows of the crop alone. */
export function rowRuns({ values }: Crop): number[] {
  const runs: number[] = []
  let [isIn, start] = [false, 0]
  for (let at = 0; at < values.length; at++) {
    if ((values[at] !== 0) === isIn) continue
    runs.push(at - start)
    start = at
    isIn = !isIn
  }
  return [...runs, values.length - start]
}

/** Null where runs do not fill the plane exactly. */
export function fromColumnRuns(runs: readonly number[], height: number, width: number): Crop | null {
  if (!fits(runs, width * height)) return null
  const box = boxOfColumns(runs, height)
  if (box === null) return { x: 0, y: 0, width: 0, height: 0, values: new Uint8Array(0) }
  const values = new Uint8Array(box.width * box.height)
  let at = 0
  runs.forEach((length, index) => {
    if (index % 2 === 1)
      for (let pixel = at; pixel < at + length; pixel++) {
        const x = Math.floor(pixel / height)
        values[(pixel - x * height - box.y) * box.width + x - box.x] = 1
      }
    at += length
  })
  return { ...box, values }
}

function boxOfColumns(runs: readonly number[], height: number): Omit<Crop, 'values'> | null {
  let [x0, x1, y0, y1, at] = [Number.POSITIVE_INFINITY, -1, Number.POSITIVE_INFINITY, -1, 0]
  runs.forEach((length, index) => {
    if (index % 2 === 1 && length > 0) {
      const [first, last] = [Math.floor(at / height), Math.floor((at + length - 1) / height)]
      x0 = Math.min(x0, first)
      x1 = Math.max(x1, last)
      // A run beyond its column reaches the lower edge and begins again at the upper one.
      y0 = Math.min(y0, first === last ? at % height : 0)
      y1 = Math.max(y1, first === last ? (at + length - 1) % height : height - 1)
    }
    at += length
  })
  return x1 < 0 ? null : { x: x0, y: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 }
}

export function fromRowRuns(runs: readonly number[], box: Omit<Crop, 'values'>): Crop | null {
  if (!fits(runs, box.width * box.height)) return null
  const values = new Uint8Array(box.width * box.height)
  let at = 0
  runs.forEach((length, index) => {
    if (index % 2 === 1) values.fill(1, at, at + length)
    at += length
  })
  return { ...box, values }
}

function fits(runs: readonly number[], area: number): boolean {
  let sum = 0
  for (const run of runs) {
    if (!Number.isInteger(run) || run < 0) return false
    sum += run
  }
  return sum === area
}

/** Each run but the first three as the difference from the last but one, five bits a sign. */
export function packRuns(runs: readonly number[]): string {
  let packed = ''
  runs.forEach((run, index) => {
    let rest = index > 2 ? run - (runs[index - 2] ?? 0) : run
    for (let isMore = true; isMore; ) {
      let sign = rest & 31
      rest >>= 5
      isMore = (sign & 16) !== 0 ? rest !== -1 : rest !== 0
      if (isMore) sign |= 32
      packed += String.fromCharCode(sign + 48)
    }
  })
  return packed
}

/** Null for a text that is none. */
export function unpackRuns(packed: string): number[] | null {
  const runs: number[] = []
  for (let at = 0; at < packed.length; ) {
    let [run, shift] = [0, 0]
    for (;;) {
      const sign = packed.charCodeAt(at++) - 48
      if (!(sign >= 0 && sign < 64) || shift > 30) return null
      run |= (sign & 31) << shift
      shift += 5
      if ((sign & 32) !== 0) continue
      if ((sign & 16) !== 0 && shift < 32) run |= -1 << shift
      break
    }
    if (runs.length > 2) run += runs[runs.length - 2] ?? 0
    runs.push(run)
  }
  return runs
}
