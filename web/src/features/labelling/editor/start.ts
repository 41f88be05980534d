/** Puts the editor's parts together: journal, queue, tools and planes of one opened reading. */
import type { LabelSet } from '@neuroloom/contract/labelling/labelling'
import { call } from '../../../lib/api.ts'
import type { Size } from '../canvas/plane.ts'
import { earlierStrokes } from '../journal/earlier.ts'
import { Journal } from '../journal/journal.ts'
import type { OpenedReading } from '../journal/opening.ts'
import { StepQueue } from '../journal/step-queue.ts'
import type { Source } from '../source/source.ts'
import { drawAbove } from '../tools/above.ts'
import { Bench } from '../tools/bench.ts'
import { makeDesk, type ToolName } from '../tools/desk.ts'
import { makeTools, toolFacts, wireFormsOf } from '../tools/tools.ts'

export type Started = { bench: Bench; queue: StepQueue; leave: () => void; end: () => void }

export function start(opened: OpenedReading, source: Source, size: Size): Started {
  const { reading, set, image, marks, kept, steps, wholeSeq } = opened
  const drawable = set.classes.filter(({ use }) => use !== 'background')
  const desk = makeDesk({
    classId: (drawable[0] ?? set.classes[0])?.id ?? '',
    tool: firstTool(set),
    wireForm: wireFormsOf(set.marks)[0] ?? 'outline',
    place: size[2] > 1 && !source.rate ? [half(size[0]), half(size[1]), half(size[2])] : [0, 0, 0],
  })
  const queue: StepQueue = new StepQueue({
    ...{ readingId: reading.id, seq: reading.seq, kept },
    onMissed: (missed) => journal.take(missed),
    onState: (saving) => desk.setState({ saving }),
  })
  const load = (before: number) => call('labelling/steps', { readingId: reading.id, before }, { quiet: true })
  const earlier = earlierStrokes({ steps, next: wholeSeq > 0 ? wholeSeq + 1 : null }, load)
  const journal: Journal = new Journal({
    marks,
    add: (step) => queue.add(step),
    waiting: () => queue.steps,
    onChange: (change) => bench.changed(change),
    earlier: () => earlier.next(),
  })
  const tools = makeTools()
  const bench: Bench = new Bench({
    body: { size, spacing: image.facts?.spacing ?? null, orientation: image.facts?.orientation ?? null },
    ...{ source, desk, journal, classes: set.classes },
    tools: () => tools[desk.getState().tool],
    drawAbove,
    isWritable: reading.isWritable,
  })
  const leave = () => {
    journal.end()
    journal.settle()
    queue.leave()
  }
  return {
    ...{ bench, queue, leave },
    end: () => {
      leave()
      void queue.send().finally(() => queue.stop())
      source.close()
    },
  }
}

const half = (length: number): number => Math.floor(length / 2)

export const toolsOf = ({ marks }: Pick<LabelSet, 'marks'>): ToolName[] =>
  // Object.keys forgets which keys the table has.
  (Object.keys(toolFacts) as ToolName[]).filter((name) => {
    const own = toolFacts[name].marks
    return own.length === 0 || own.some((mark) => marks.includes(mark))
  })

const firstTool = (set: LabelSet): ToolName =>
  toolsOf(set).find((name) => toolFacts[name].marks.length > 0) ?? 'hand'
