/** What a person says of a study, put together answer by answer. Pure. */
import type { FlowCell, FlowLeft } from '@neuroloom/contract/flow/settled'
import type { FlowAnswer, FlowSeries } from '@neuroloom/contract/flow/study'

/** Answers to cells of one series; `undefined` takes one back: what the files told, or what was guessed, stands again. */
export type Said = { [Cell in FlowCell]?: FlowAnswer['series'][number][Cell] | undefined }

export function say(answer: FlowAnswer, id: string, said: Said): FlowAnswer {
  const before = answer.series.find((one) => one.id === id)
  const others = answer.series.filter((one) => one.id !== id)
  const known = Object.entries({ ...before, ...said }).filter(([, value]) => value !== undefined)
  return { ...answer, series: [...others, { ...Object.fromEntries(known), id }] }
}

/** What a series is said or guessed to be, in one cell; null where nothing is known. */
export function saidIn(series: FlowSeries, cell: FlowCell): Said | null {
  const value = series[cell]
  return value === null ? null : { [cell]: value }
}

/** Open questions for which there is a guess. */
export function guessesOf({ series, questions }: FlowLeft): { id: string; said: Said }[] {
  return questions.flatMap(({ series: id, what: cell }) => {
    const found = series.find((one) => one.id === id)
    const said = found ? saidIn(found, cell) : null
    return said ? [{ id, said }] : []
  })
}

/** A unit or VENC that is settled for one velocity while others lack it. */
export function spreads({
  series,
  questions,
}: FlowLeft): { cell: 'unit' | 'venc'; from: FlowSeries; to: string[] }[] {
  return (['unit', 'venc'] as const).flatMap((cell) => {
    const to = questions.filter((one) => one.what === cell).map((one) => one.series)
    const settled = series.filter((one) => one.role === 'velocity' && !to.includes(one.id))
    const [from] = settled
    const isOne = new Set(settled.map((one) => one[cell])).size === 1
    // Guesses that say the same are confirmed as such.
    const isNew = series.some((one) => to.includes(one.id) && one[cell] !== from?.[cell])
    return from && isOne && isNew ? [{ cell, from, to }] : []
  })
}
