/** Makes a study out of the files of a folder, as a person settled it: every file is read once, every plane written where it belongs. */
import { createHash } from 'node:crypto'
import { type FlowAnswer, type FlowStudy, flowStudySchema, VENC_UNITS } from '@neuroloom/contract/flow/study'
import { cross, type Triple } from '../model.ts'
import { batchesOf, type Limits, openBatch } from './batches.ts'
import { gather } from './gather.ts'
import { type FlowFile, type FlowImage, type FlowMade, FlowRefusal, type FlowRow, note } from './images.ts'
import { vendorOf } from './rules.ts'
import { makeScaling, type Scaling } from './scaling.ts'
import { directionOf, inOrder, type Settled, settle } from './settle.ts'
import { openStudyFile, type StudyFile } from './study-file.ts'

type Making = {
  files: readonly FlowFile[]
  answer: FlowAnswer
  /** Where the study goes. */
  out: string
  /** For what passes through while compressed images are unpacked. */
  folder: string
  /** What one file may take, and unpack to. */
  limitBytes: number
}

/** Throws `FlowRefusal` with what blocks; notes come with the study. */
export async function makeFlow({ files, answer, out, folder, limitBytes }: Making): Promise<FlowMade> {
  const { rows, problems } = await gather(files)
  const settled = settle(rows, answer)
  const found = [...problems, ...settled.problems]
  if (found.some(({ isBlocking }) => isBlocking)) throw new FlowRefusal(found)
  const velocity = inOrder(settled.velocity)
  const study = studyOf(settled, velocity)
  const plan = planOf(velocity, settled.magnitude)
  const scaling = makeScaling(study, velocity, settled.magnitude)
  const target = await openStudyFile(out, study)
  try {
    const sources = await fill(target, { files, plan, scaling, limits: { limitBytes, folder } })
    const whole = flowStudySchema.parse({ ...study, sources })
    await target.finish(whole)
    const doubtful = scaling.doubtful()
    return { study: whole, problems: [...found, ...(doubtful ? [note('scale_doubtful', doubtful)] : [])] }
  } catch (error) {
    await target.discard()
    throw error
  }
}

function studyOf({ times, period, gating, spacing }: Settled, velocity: readonly FlowRow[]): FlowStudy {
  const [first] = velocity
  if (!first || !times || !spacing) throw new Error('Something is missing that was looked at before')
  const { series, traits, images } = first
  const isPlaced = traits.directions !== null && images.every(({ position }) => position !== null)
  const vencs = velocity.map((row) => row.series.venc ?? 0)
  return flowStudySchema.parse({
    v: 1,
    source: traits.source,
    vendor: vendorOf(traits),
    size: series.size,
    frames: series.frames,
    spacing,
    affine: isPlaced ? affineOf(first, spacing) : plainAffine(spacing),
    isPlaced,
    directions: velocity.map(directionOf),
    venc: vencs,
    velocityScale: Math.max(...vencs) / VENC_UNITS,
    times,
    period,
    gating,
    // Until all files were read.
    sources: '0'.repeat(64),
  })
}

const plainAffine = ([x, y, z]: Triple): number[][] => [
  [x, 0, 0, 0],
  [0, y, 0, 0],
  [0, 0, z, 0],
]

/** DICOM's axes lead to the left and the back, those of the study to the right and the front. */
function affineOf({ traits, grid }: FlowRow, [x, y, z]: Triple): number[][] {
  const [row, column] = traits.directions ?? [[1, 0, 0] as Triple, [0, 1, 0] as Triple]
  const normal = cross(row, column)
  const origin = grid.cells[0]?.find((image) => image)?.position ?? [0, 0, 0]
  return [0, 1, 2].map((part) =>
    [(row[part] ?? 0) * x, (column[part] ?? 0) * y, (normal[part] ?? 0) * z, origin[part] ?? 0].map((one) =>
      part < 2 ? -one : one,
    ),
  )
}

type Step = { component: number | 'magnitude'; slice: number; time: number; image: FlowImage }
/** What of each file goes where. */
type Plan = Map<number, Step[]>

function planOf(velocity: readonly FlowRow[], magnitude: FlowRow | null): Plan {
  const plan: Plan = new Map()
  const parts: [number | 'magnitude', FlowRow][] = velocity.map((row, component) => [component, row])
  if (magnitude) parts.push(['magnitude', magnitude])
  for (const [component, { grid }] of parts) {
    for (const [slice, row] of grid.cells.entries()) {
      for (const [time, image] of row.entries()) {
        if (!image) continue
        const steps = plan.get(image.file) ?? []
        steps.push({ component, slice, time, image })
        plan.set(image.file, steps)
      }
    }
  }
  return plan
}

type Filling = {
  files: readonly FlowFile[]
  plan: Plan
  scaling: Scaling
  limits: Limits
}

/** Answers the sum over the sums of all files that are used, in the order of their names. */
async function fill(target: StudyFile, { files, plan, scaling, limits }: Filling): Promise<string> {
  const named = [...plan.keys()].flatMap((index) => {
    const file = files[index]
    return file ? [{ ...file, index }] : []
  })
  named.sort((a, b) => (a.name < b.name ? -1 : 1))
  const sources = createHash('sha256')
  for (const batch of await batchesOf(named)) {
    const opened = await openBatch(batch, limits)
    for (const [at, { digest, numbersOf }] of opened.entries()) {
      sources.update(digest)
      for (const { component, slice, time, image } of plan.get(batch[at]?.index ?? -1) ?? [])
        await target.put(component, { time, slice }, scaling.plane(component, image, await numbersOf(image)))
    }
  }
  return sources.digest('hex')
}
