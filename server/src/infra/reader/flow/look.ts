/** The table of recognition of a folder: which series is which direction, what is unsure, and what stands in the way. */
import { type FlowLook, flowLookSchema } from '@neuroloom/contract/flow/study'
import { flowReading } from '@neuroloom/contract/limits'
import { type Gathered, gather } from './gather.ts'
import { type FlowFile, FlowRefusal } from './images.ts'
import { vendorOf } from './rules.ts'
import { settle } from './settle.ts'

/** Reads heads alone. What a folder cannot be, it says in its problems; only defects are thrown. */
export async function lookAtFlow(files: readonly FlowFile[]): Promise<FlowLook> {
  const { rows, leftOut, problems } = await gatheredOrRefused(files)
  const settled = settle(rows, { series: [] })
  const lead = settled.velocity[0] ?? settled.rows[0]
  const order = { velocity: 0, magnitude: 1, unused: 2 }
  const shown = settled.rows
    .map(({ series }) => series)
    .sort((a, b) => order[a.role] - order[b.role] || b.unsure.length - a.unsure.length)
  const refused = problems.filter(({ isBlocking }) => isBlocking)
  return flowLookSchema.parse({
    source: lead?.traits.source ?? 'dicom',
    vendor: lead ? vendorOf(lead.traits) : null,
    series: shown.slice(0, flowReading.series),
    spacing: settled.spacing,
    times: settled.times,
    period: settled.period,
    gating: settled.gating,
    leftOut: leftOut + shown.slice(flowReading.series).reduce((sum, one) => sum + one.files, 0),
    problems: [...problems, ...(refused.length > 0 ? [] : settled.problems)],
  })
}

async function gatheredOrRefused(files: readonly FlowFile[]): Promise<Gathered> {
  try {
    return await gather(files)
  } catch (error) {
    if (!(error instanceof FlowRefusal)) throw error
    return { rows: [], leftOut: files.length, problems: [...error.problems] }
  }
}
