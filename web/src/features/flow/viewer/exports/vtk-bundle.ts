/** The study for ParaView and its like: one image a moment, a list of times, the lines that are shown, and what they are. */
import type { Three } from '@neuroloom/contract/flow/slice'
import type { FlowWorker } from '../numbers/ask-worker.ts'
import type { Picture } from '../numbers/asks.ts'
import { sightOf } from '../numbers/sight.ts'
import { patientPlace } from '../numbers/view-plane.ts'
import { jsonOf, learnedText, type Origin, originOf, originText, type Seen, told } from './origin.ts'
import { VELOCITY_NAME } from './vti.ts'
import { type Lines, vtpOf } from './vtp.ts'
import { makeZip } from './zip.ts'

type Asked = {
  seen: Seen
  worker: Pick<FlowWorker, 'ask'>
  picture: Picture
  /** From 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Throws the signal's reason once it is aborted. */
export async function vtkBundle({ seen, worker, picture, onProgress, signal }: Asked): Promise<Blob> {
  const { head } = seen.facts
  const origin = originOf(seen, await worker.ask('sha256', {}))
  const about = originText(origin)
  const zip = makeZip()
  const text = (name: string, content: string) => zip.add(name, new TextEncoder().encode(content))
  for (let frame = 0; frame < head.frames; frame++) {
    signal.throwIfAborted()
    zip.add(nameOf(frame), await worker.ask('vti', { frame, mask: seen.choice.mask, about }))
    onProgress((frame + 1) / head.frames)
  }
  signal.throwIfAborted()
  text('flow.pvd', listOf(head.times))
  if (picture.lines) zip.add('streamlines.vtp', vtpOf(linesOf(seen, picture), about))
  text('options.json', jsonOf(told(seen, origin)))
  text('README.txt', readme(seen, origin))
  return zip.end()
}

const nameOf = (frame: number): string => `frames/flow_${String(frame + 1).padStart(3, '0')}.vti`

/** Seconds, as the images tell them too. */
const listOf = (times: readonly number[]): string =>
  `<?xml version="1.0"?>\n<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">\n<Collection>\n${times
    .map((time, frame) => `<DataSet timestep="${time}" group="" part="0" file="${nameOf(frame)}"/>`)
    .join('\n')}\n</Collection>\n</VTKFile>\n`

function linesOf({ facts: { head } }: Seen, picture: Picture): Lines {
  const { toGrid } = sightOf(head, picture)
  const { lines, speed, width, slice } = picture
  const places = (lines ?? []).map((line) => pairsOf(line))
  return {
    lines: places.map((line) =>
      line.map(([column, row]): Three => patientPlace(head, toGrid({ column, row, slice }))),
    ),
    speeds: places.map((line) =>
      line.map(([column, row]) => speed[Math.round(row) * width + Math.round(column)] ?? Number.NaN),
    ),
  }
}

const pairsOf = (line: Float32Array): [number, number][] =>
  Array.from({ length: line.length / 2 }, (_, at) => [line[2 * at] ?? 0, line[2 * at + 1] ?? 0])

function readme({ facts: { head }, choice }: Seen, origin: Origin): string {
  const { study, sha256, sources, software } = origin
  const axes = head.isPlaced
    ? 'Places and vectors are in the axes of the patient: x grows to the right, y to the front, z to the head (RAS).'
    : 'The study is placed in no patient: places and vectors are along the axes of its grid, from the middle of its first voxel.'
  return [
    `${study}, 4D flow MRI. For research, not for diagnosis.`,
    ...learnedText(origin.sharpened).map((text) => `${text}.`),
    '',
    'flow.pvd         Opens all moments in ParaView, with their times in seconds.',
    'frames/*.vti     One image a moment, on the grid of the study.',
    `  ${VELOCITY_NAME}  Velocity in m/s; NaN where there is no value.`,
    '  magnitude         Magnitude of the MR signal, without a unit.',
    '  mask              1 inside the mask that was chosen, 0 outside. Left out where no mask was.',
    `streamlines.vtp  The streamlines that were shown, at moment ${choice.frame + 1}; their speed in m/s. Left out where none were.`,
    'options.json     All that was chosen and measured; SI units.',
    '',
    `Lengths are in mm. ${axes}`,
    '',
    `SHA-256 of the study: ${sha256}`,
    `SHA-256 over those of the files it was made of: ${sources}`,
    `Software: ${software}`,
    '',
  ].join('\r\n')
}
