/** Opens readings of one image to be looked at: one image for all of them, and what moves in one plane moves in all. */
import type { LabelReading } from '@neuroloom/contract/labelling/labelling'
import { Journal } from '../journal/journal.ts'
import { openReading } from '../journal/opening.ts'
import { openSource } from '../source/open-source.ts'
import type { Source } from '../source/source.ts'
import { drawAbove } from '../tools/above.ts'
import { Bench } from '../tools/bench.ts'
import { makeDesk } from '../tools/desk.ts'
import { makeTools } from '../tools/tools.ts'

/** More than these are a table of stamps. */
const MOST = 6

export type Opened = {
  name: string
  shown: { reading: LabelReading; bench: Bench }[]
  close: () => void
}

export async function openBeside(
  itemId: string,
  readings: readonly LabelReading[],
  signal: AbortSignal,
): Promise<Opened> {
  const shown: Opened['shown'] = []
  let source: Source | null = null
  let name = ''
  for (const { id } of readings.slice(0, MOST)) {
    const { answer, opened } = await openReading(itemId, signal, { readingId: id })
    name = answer.item.name
    const size = answer.item.size
    if (!opened || !size) continue
    source ??= sharedSource(await openSource(answer.image, size, signal))
    const desk = makeDesk({
      tool: 'hand',
      place: size[2] > 1 ? [0, 0, Math.floor(size[2] / 2)] : [0, 0, 0],
    })
    const journal: Journal = new Journal({
      marks: opened.marks,
      add: () => undefined,
      waiting: () => [],
      onChange: () => undefined,
      earlier: async () => null,
    })
    const tools = makeTools()
    const { spacing = null, orientation = null } = answer.image.facts ?? {}
    const bench: Bench = new Bench({
      ...{ body: { size, spacing, orientation }, source, desk, journal, classes: opened.set.classes },
      ...{ tools: () => tools[desk.getState().tool], drawAbove, isWritable: false },
    })
    shown.push({ reading: opened.reading, bench })
  }
  return { name, shown, close: () => source?.close() }
}

/** Several draw the same image: all of them hear when more of it has come. */
function sharedSource(source: Source): Source {
  const listeners: (() => void)[] = []
  source.onNews?.(() => {
    for (const tell of listeners) tell()
  })
  return { ...source, onNews: (listener) => listeners.push(listener) }
}

/** The slice and the part that is seen are the same in all. Returns what ends it. */
export function linked(benches: readonly Bench[]): () => void {
  let isFollowing = false
  const follow = (leader: Bench) => () => {
    if (isFollowing) return
    isFollowing = true
    const { place } = leader.desk.getState()
    const [first] = leader.panes
    for (const bench of benches) {
      if (bench === leader) continue
      bench.goTo(2, place[2])
      for (const pane of bench.panes) {
        const isSame = first?.area.width === pane.area.width && first.area.height === pane.area.height
        if (isSame && first.view !== pane.view) pane.setView(first.view)
      }
    }
    isFollowing = false
  }
  const ends = benches.map((bench) => bench.desk.subscribe(follow(bench)))
  return () => {
    for (const end of ends) end()
  }
}
