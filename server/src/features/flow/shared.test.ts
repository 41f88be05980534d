/** Studies of the shared data, from the cloud to the numbers that pages get. Passed over where the data are not there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Files, type FlowTest, makeFlowTest } from '../../../test/flow.ts'

const shared = process.env.SHARED_DATA ?? join(import.meta.dirname, '../../../../../shared/data')
const womersley = join(shared, 'flow4d-phantom-womersley')
const aorta = join(shared, 'flow4d-aorta-cfd')

let at: FlowTest
beforeAll(async () => {
  at = await makeFlowTest()
})
afterAll(() => at.close())

const below = (folder: string): Files =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => {
        const path = join(parentPath, name)
        return [path.slice(folder.length + 1), readFileSync(path)]
      }),
  )

type Wanted = { source: string; size: [number, number, number]; frames: number }

const cases: [string, string, Wanted][] = [
  ['NIfTI', join(womersley, 'nifti'), { source: 'nifti', size: [40, 36, 24], frames: 12 }],
  ['HDF5', join(aorta, 'original'), { source: 'hdf5', size: [42, 38, 36], frames: 1 }],
  ['DICOM, with all that lies beside it', womersley, { source: 'dicom', size: [40, 36, 9], frames: 6 }],
]

describe.skipIf(!existsSync(womersley) || !existsSync(aorta))('shared data', () => {
  it.each(cases)('%s', async (_, folder, { source, size, frames }) => {
    const me = await at.server.signUp({ vipLevel: 2 })
    const found = await at.open(me, await at.put(me, below(folder)))
    expect(found).toMatchObject({ state: 'asked', source })
    const made = await at.make(me, found)
    expect(made).toMatchObject({ state: 'ready', size, frames })
  })
})
