import { gzipSync } from 'node:zlib'
import { asFound } from '@neuroloom/contract/reading/reading'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'
import { manifestOf } from './service.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** Bytes as NIfTI-1: x varies fastest, channels slowest. */
function nifti(sides: readonly number[], value: (channel: number, index: number) => number): Buffer {
  const [x = 1, y = 1, z = 1, channels = 1] = sides
  const head = Buffer.alloc(352)
  head.writeInt32LE(348, 0)
  for (const [index, side] of [sides.length, x, y, z, channels, 1, 1, 1].entries())
    head.writeInt16LE(side, 40 + 2 * index)
  head.writeInt16LE(2, 70)
  head.writeInt16LE(8, 72)
  for (let index = 1; index < 5; index += 1) head.writeFloatLE(1, 76 + 4 * index)
  head.writeFloatLE(352, 108)
  head.write('n+1\0', 344, 'latin1')
  const voxels = Array.from({ length: channels }, (_, channel) =>
    Buffer.from(Array.from({ length: x * y * z }, (__, index) => value(channel, index))),
  )
  return gzipSync(Buffer.concat([head, ...voxels]))
}

it('of volumes with several values of each place one is learned from, which the owner chooses', async () => {
  const session = await server.signUp({ vipSuper: 1 })
  const names = ['k1', 'k2', 'k3']
  const files = [
    ...names.flatMap((name, seed) => [
      {
        path: `set/imagesTr/${name}.nii.gz`,
        bytes: nifti([9, 8, 7, 3], (channel, index) => (channel * 80 + index * 3 + seed) % 250),
      },
      { path: `set/labelsTr/${name}.nii.gz`, bytes: nifti([9, 8, 7], (_, index) => Number(index % 5 === 0)) },
    ]),
    {
      path: 'set/dataset.json',
      bytes: Buffer.from(
        JSON.stringify({
          modality: { '0': 'Early', '1': 'Late', '2': 'Map' },
          labels: { '0': 'background', '1': 'node' },
          training: names.map((name) => ({
            image: `./imagesTr/${name}.nii.gz`,
            label: `./labelsTr/${name}.nii.gz`,
          })),
        }),
      ),
    },
  ]
  const folderId = (await upload(server, session, { files })) ?? ''
  const task = 'volume_segmentation'
  const project = await server.call('projects/create', { name: 'sequences', task }, session)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, session)
  const seen = async () => {
    await look(makeWorker(server), data.id)
    const dataset = (await server.call('datasets/detail', { id: data.id }, session)).data
    const { problems } = (await server.call('datasets/problems', { id: data.id }, session)).data
    const { items } = await manifestOf(server.ctx.db, data.id)
    return { dataset, problems, images: items.map(({ image }) => image) }
  }
  const first = await seen()
  expect(first.problems).toEqual([])
  expect(first.dataset).toMatchObject({ state: 'ready', classes: ['background', 'node'] })
  expect(first.dataset.facts).toMatchObject({
    ...{ items: 3, depth: { min: 7, max: 7 }, width: { max: 9 } },
    masks: {
      channels: ['Early', 'Late', 'Map'].map((name, key) => ({ key: String(key), name, items: 3 })),
      channel: '0',
    },
  })
  await server.call('datasets/readAs', { id: data.id, reading: { ...asFound, images: '2' } }, session)
  const third = await seen()
  expect(third.dataset.facts?.masks?.channel).toBe('2')
  expect(new Set([...first.images, ...third.images]).size).toBe(6)
})
