import { Readable } from 'node:stream'
import { asc, eq } from 'drizzle-orm'
import { type ArchivedFile, jsonFile } from '../../../infra/archive.ts'
import type { Context } from '../../../infra/context.ts'
import { CSV_MARK, csvLine } from '../../../infra/csv.ts'
import type { Db } from '../../../infra/db.ts'
import type { RunRow } from '../../runs/tables.ts'
import { type FlowRunFacts, factsOf } from './facts.ts'
import { flowFigures, flowSections, runFlow } from './tables.ts'

/** Beside the files that the engine made: what was asked for, planes with what flows through them, pictures. */
export async function* archive(ctx: Context, { id }: RunRow): AsyncIterable<ArchivedFile> {
  const facts = await factsOf(ctx.db, id)
  if (!facts) return
  const { study, asked, sections, figures } = facts
  yield jsonFile('asked.json', { study, asked })
  if (sections.length > 0) {
    yield { path: 'sections.csv', isText: true, read: () => Readable.from([sectionTable(facts)]) }
  }
  for (const [index, { sha256 }] of figures.entries())
    yield { path: `figures/${index + 1}.png`, isText: false, read: () => ctx.storage.read(sha256) }
  if (figures.length > 0) {
    const captions = figures.map(({ caption }, index) => ({ file: `${index + 1}.png`, caption }))
    yield jsonFile('figures/captions.json', captions)
  }
}

/** A line for each plane and frame, in SI units; volumes of a beat stand in each line of their plane. */
function sectionTable({ sections, study }: FlowRunFacts): string {
  const { sharpened } = study.head
  const finer = sharpened ? [`${sharpened.network} ×${sharpened.factor}`] : null
  const head = csvLine([
    ...['plane', 'frame', 'time_s', 'flow_rate_m3_s', 'area_m2', 'mean_m_s', 'peak_m_s', 'p99_m_s'],
    ...['forward_m3', 'backward_m3', 'net_m3', 'regurgitant_fraction', 'pulsatility', 'refusal'],
    // Last, and alone where it applies: readers of columns by their place find the others where they were.
    ...(finer ? ['made_finer_not_measured'] : []),
  ])
  const lines = sections.flatMap(({ name, numbers, refusal }) => {
    if (numbers === null)
      return [csvLine([name, ...Array.from({ length: 12 }, () => null), refusal, ...(finer ?? [])])]
    const { rate, area, mean, peak, p99, forward, backward, net, regurgitantFraction, pulsatility } = numbers
    return rate.map((value, frame) =>
      csvLine([
        ...[name, frame + 1, study.head.times[frame] ?? null, value, area[frame] ?? null],
        ...[mean[frame] ?? null, peak[frame] ?? null, p99[frame] ?? null],
        ...[forward, backward, net, regurgitantFraction, pulsatility, refusal],
        ...(finer ?? []),
      ]),
    )
  })
  return CSV_MARK + head + lines.join('')
}

/** For the list of a member's runs. */
export async function told(db: Db, runId: string): Promise<object> {
  const [row] = await db.select().from(runFlow).where(eq(runFlow.runId, runId))
  if (!row) return {}
  const { runId: _, state: __, attempts: ___, askedAt: ____, leaseUntil: _____, ...flow } = row
  const sections = await db
    .select({ place: flowSections.place, section: flowSections.section, told: flowSections.told })
    .from(flowSections)
    .where(eq(flowSections.runId, runId))
    .orderBy(asc(flowSections.place))
  const figures = await db
    .select()
    .from(flowFigures)
    .where(eq(flowFigures.runId, runId))
    .orderBy(asc(flowFigures.createdAt), asc(flowFigures.id))
  return { flow: { ...flow, sections, figures: figures.map(({ runId: ______, ...figure }) => figure) } }
}
