/** What `npm run bench -- labelling` asks of the page: each answer in milliseconds, up to the end of the frame that shows the change. */
import { sweep } from '../canvas/brush.ts'
import { panned, toScreen, zoomed } from '../canvas/view.ts'
import type { Bench } from '../tools/bench.ts'
import { changeThing } from '../tools/making.ts'

/** `kept`: resolves when all that was written down lies in the browser's database. */
export function measuring(bench: Bench, kept: () => Promise<unknown>) {
  const paints: number[] = []
  return {
    paints,
    /** Begins to note how long each event of the pointer takes from its own time to the canvas. */
    watch() {
      const [pane] = bench.panes
      // After the editor's own listeners of the same event.
      pane?.host.addEventListener('pointerrawupdate', ({ timeStamp }) => {
        paints.push(performance.now() - timeStamp)
      })
    },
    async things(name: 'hover' | 'choose' | 'move' | 'remove' | 'undo' | 'zoom' | 'pan'): Promise<number[]> {
      const times: number[] = []
      const ids = [...bench.journal.marks.things.keys()]
      for (let round = 0; round < 20; round++)
        times.push(await timed(() => act(bench, { name, id: ids[round * 7] ?? '', round })))
      return times
    },
    async masks(count: number): Promise<{ savedMs: number; gapMs: number }> {
      for (let mask = 0; mask < count; mask++)
        disc(bench, { x: 400 + (mask % 10) * 900, y: 400 + Math.floor(mask / 10) * 900 })
      const from = performance.now()
      // To draw a hundred masks at once is the robot's; the frames that follow are those of the saving.
      await frame()
      const gaps = watchFrames()
      await kept()
      const savedMs = performance.now() - from
      return { savedMs, gapMs: Math.max(...gaps.end()) }
    },
    async slices(count: number): Promise<number[]> {
      const times: number[] = []
      for (let step = 0; step < count; step++) {
        times.push(
          await timed(() => {
            for (const axis of [0, 1, 2] as const) bench.goTo(axis, 60 + ((step * 7) % 180))
          }),
        )
      }
      return times
    },
  }
}

type Act = {
  name: 'hover' | 'choose' | 'move' | 'remove' | 'undo' | 'zoom' | 'pan'
  id: string
  round: number
}

function act(bench: Bench, { name, id, round }: Act): void {
  const [pane] = bench.panes
  const thing = bench.journal.marks.things.get(id)
  if (!pane) return
  const { plane, view, area } = pane
  const at = { x: area.width / 2, y: area.height / 2 }
  switch (name) {
    case 'hover':
      pane.things.grid.at({ x: round * 190, y: round * 180 }, 8)
      pane.renew('above')
      return
    case 'choose':
      bench.select([id])
      return
    case 'move':
      if (thing?.shape.kind === 'outline')
        changeThing(bench, thing, {
          after: {
            ...thing,
            shape: {
              ...thing.shape,
              rings: thing.shape.rings.map((ring) => ring.map((value) => value + 20)),
            },
          },
          tool: 'move',
        })
      return
    case 'remove':
      if (thing) changeThing(bench, thing, { after: null, tool: 'remove' })
      return
    case 'undo':
      void bench.journal.undo()
      return
    case 'zoom':
      pane.setView(zoomed(view, plane, { by: round % 2 === 0 ? 1.2 : 1 / 1.2, at, area }))
      return
    case 'pan':
      pane.setView(panned(view, plane, { by: { x: round % 2 === 0 ? 60 : -60, y: 20 }, area }))
      return
  }
}

function disc(bench: Bench, at: { x: number; y: number }): void {
  const [pane] = bench.panes
  if (!pane) return
  bench.journal.begin('brush')
  const segment = bench.segmentFor('a', 0)
  sweep({ from: at, to: { x: at.x + 200, y: at.y + 90 }, radius: 120, aspect: 1 }, (v, from, to) =>
    bench.fill(pane, { v, from, to, segment }),
  )
  bench.journal.end()
  const { x, y } = toScreen(pane.view, pane.plane, at)
  if (x > 0 && y > 0)
    bench.drawn(pane, { left: at.x - 130, top: at.y - 130, right: at.x + 330, bottom: at.y + 230 })
}

async function timed(work: () => void): Promise<number> {
  await frame()
  const from = performance.now()
  work()
  const worked = performance.now() - from
  const began = await frame()
  // Waiting for the screen's next turn is not the editor's time.
  return worked + (performance.now() - began)
}

/** Resolves after the frame was drawn, with when its turn began. */
const frame = (): Promise<number> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => {
      const began = performance.now()
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(began)
      port2.postMessage(null)
    })
  })

function watchFrames() {
  const gaps: number[] = []
  let last = performance.now()
  let id = requestAnimationFrame(function next(now) {
    gaps.push(now - last)
    last = now
    id = requestAnimationFrame(next)
  })
  return {
    end: () => {
      cancelAnimationFrame(id)
      return gaps
    },
  }
}
