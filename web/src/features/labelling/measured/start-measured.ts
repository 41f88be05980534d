/** Puts the editor together for the measurements: drawn images, and a journal that ends in the browser's database. */
import { classColours, type LabelClass } from '@neuroloom/contract/labelling/classes'
import { marksFrom, noMarks } from '@neuroloom/contract/labelling/marks'
import type { Axis, Size } from '../canvas/plane.ts'
import { Journal } from '../journal/journal.ts'
import { openKept } from '../journal/kept-steps.ts'
import { tilesSource } from '../source/tiles.ts'
import { volumeSource } from '../source/volume.ts'
import { drawAbove } from '../tools/above.ts'
import { Bench } from '../tools/bench.ts'
import { makeDesk, setSize } from '../tools/desk.ts'
import { listen } from '../tools/gestures.ts'
import { makeTools } from '../tools/tools.ts'
import { measuring } from './measured.ts'
import { drawnTile, someThings, someVolume } from './samples.ts'

export async function startMeasured(host: HTMLElement, asked: URLSearchParams): Promise<() => void> {
  const kept = await openKept(`measured-${Date.now()}`)
  const side = Number(asked.get('side') ?? 10_000)
  const isVolume = asked.has('volume')
  const size: Size = isVolume ? [512, 512, 300] : [side, side, 1]
  const levels = Math.ceil(Math.log2(side / 512)) + 1
  const source = isVolume
    ? volumeSource(someVolume(), null)
    : tilesSource({ url: '', side: 512, levels }, size, drawnTile)
  const desk = makeDesk({ classId: 'a', place: [0, 0, 0] })
  setSize(desk, Number(asked.get('brush') ?? 50))
  const tools = makeTools()
  let writing: Promise<unknown> = Promise.resolve()
  const things = someThings(Number(asked.get('things') ?? 0), side)
  const journal: Journal = new Journal({
    marks: marksFrom(size, { ...noMarks(), things }),
    add: (step) => {
      if (kept) writing = kept.keep('measured', [step])
    },
    waiting: () => [],
    onChange: (change) => bench.changed(change),
    earlier: async () => null,
  })
  const bench: Bench = new Bench({
    body: { size, spacing: null, orientation: null },
    ...{ source, desk, journal, drawAbove, classes: [oneClass], isWritable: true },
    tools: () => tools[desk.getState().tool],
  })
  const ends = (isVolume ? [2, 1, 0] : [2]).map((axis) => {
    const plane = document.createElement('div')
    plane.tabIndex = -1
    host.append(plane)
    // The three axes of the list above.
    const pane = bench.addPane(plane, axis as Axis)
    const stop = listen(bench, pane)
    return () => {
      stop()
      bench.removePane(pane)
      plane.remove()
    }
  })
  const allKept = async (): Promise<unknown> => {
    while (journal.isWriting) await new Promise((resolve) => setTimeout(resolve))
    return writing
  }
  Object.assign(window, { measured: measuring(bench, allKept) })
  return () => {
    for (const end of ends) end()
    kept?.close()
  }
}

const oneClass: LabelClass = {
  id: 'a',
  name: 'A',
  description: '',
  colour: classColours[0],
  key: 1,
  use: 'class',
  skeleton: null,
}
