/** Studies of flow as a page makes them, with the worker at hand: files put into the cloud, looked at, settled and made. */
import type { FlowDetail } from '@neuroloom/contract/flow/calls'
import type { FlowAnswer } from '@neuroloom/contract/flow/study'
import { work } from '../src/features/flow/work.ts'
import type { WorkerContext } from '../src/infra/context.ts'
import { makeField } from './flow-field.ts'
import { type Convention, conventions } from './flow-files.ts'
import { makeServer, type Session, type TestServer } from './harness.ts'
import { upload } from './uploads.ts'
import { makeWorker } from './worker.ts'

export type Files = Record<string, Uint8Array>

/** As small as a study can be that is still one. */
export const size: [number, number, number] = [12, 10, 4]
export const frames = 3
const field = makeField({ size, frames })

export const scanned = (convention: Convention): Files =>
  Object.fromEntries(conventions[convention](field).map(({ name, bytes }) => [name, bytes]))

/** Three velocities in m/s and a magnitude, each a NIfTI file of all frames. */
export function niftis(): Files {
  const along = (at: number): Buffer => nifti((x, y, z, t) => 0.2 * Math.sin(x + 2 * y + 3 * z + t + at))
  return {
    'vel_x.nii': along(0),
    'vel_y.nii': along(1),
    'vel_z.nii': along(2),
    'magnitude.nii': nifti((x, y) => 100 + x + y),
  }
}

function nifti(at: (x: number, y: number, z: number, t: number) => number): Buffer {
  const head = Buffer.alloc(352)
  head.writeInt32LE(348, 0)
  for (const [place, side] of [4, ...size, frames].entries()) head.writeInt16LE(side, 40 + 2 * place)
  head.writeInt16LE(16, 70)
  head.writeInt16LE(32, 72)
  for (const [place, step] of [1, 2, 2, 2.5, 0.05].entries()) head.writeFloatLE(step, 76 + 4 * place)
  head.writeFloatLE(352, 108)
  // Millimetres and seconds; a place in the scanner.
  head.writeUInt8(2 | 8, 123)
  head.writeInt16LE(1, 254)
  for (const [row, step] of [2, 2, 2.5].entries()) head.writeFloatLE(step, 280 + 16 * row + 4 * row)
  head.write('n+1\0', 344, 'latin1')
  const [columns, rows, slices] = size
  const numbers = new Float32Array(columns * rows * slices * frames)
  for (let index = 0; index < numbers.length; index += 1) {
    const [x, y] = [index % columns, Math.floor(index / columns) % rows]
    const z = Math.floor(index / columns / rows) % slices
    numbers[index] = at(x, y, z, Math.floor(index / columns / rows / slices))
  }
  return Buffer.concat([head, Buffer.from(numbers.buffer)])
}

export type FlowTest = Awaited<ReturnType<typeof makeFlowTest>>

export async function makeFlowTest(parts: Parameters<typeof makeServer>[1] = {}) {
  const server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' }, parts)
  const worker = makeWorker(server)
  return {
    server,
    worker,
    ...stepsOf(server, worker),
    async close() {
      worker.engine.close()
      await server.close()
    },
  }
}

function stepsOf(server: TestServer, worker: WorkerContext) {
  const look = async (who: Session, id: string): Promise<FlowDetail> =>
    (await server.call('flow/study', { id }, who)).data
  const done = async (who: Session, id: string): Promise<FlowDetail> => {
    await work(worker, id)
    return look(who, id)
  }
  return {
    look,
    done,
    /** Into a folder of the cloud; its id. */
    async put(who: Session, files: Files, folder = 'Aorta'): Promise<string> {
      const list = Object.entries(files).map(([name, bytes]) => ({ path: `${folder}/${name}`, bytes }))
      await upload(server, who, { parentId: null, files: list })
      const { data } = await server.call('files/list', { folderId: null }, who)
      return data.entries.find(({ name }) => name === folder)?.id ?? ''
    },
    async open(who: Session, ...ids: string[]): Promise<FlowDetail> {
      const { data, message, code } = await server.call('flow/open', { ids }, who)
      if (code !== 10200) throw new Error(message)
      return done(who, data.id)
    },
    async make(who: Session, study: FlowDetail): Promise<FlowDetail> {
      const { message, code } = await server.call('flow/settle', { id: study.id, answer: agreed(study) }, who)
      if (code !== 10200) throw new Error(message)
      return done(who, study.id)
    },
    async used(who: Session): Promise<{ used: number; reserved: number }> {
      const { rows } = await server.ctx.pool.query<{ used: string; reserved: string }>(
        'select used_bytes as used, reserved_bytes as reserved from user_storage where user_id = $1',
        [who.userId],
      )
      return { used: Number(rows[0]?.used ?? 0), reserved: Number(rows[0]?.reserved ?? 0) }
    },
  }
}

/** What a person says who finds the table right. */
export const agreed = ({ look }: FlowDetail): FlowAnswer => ({
  series: (look?.series ?? []).map(({ id, role, direction, unit, venc }) => ({
    ...{ id, role },
    ...(direction ? { direction } : {}),
    ...(unit ? { unit } : {}),
    ...(venc ? { venc } : {}),
  })),
})
