/** Volumes that are arrays of numbers (.npy): learned from with a word that their size in the body is unknown. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { niftiVolume } from '../../../test/images.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** As NumPy 1.0 writes it: 16-bit numbers, the last axis fastest. */
function npy(shape: number[], at: (index: number) => number): Buffer {
  const text = `{'descr': '<i2', 'fortran_order': False, 'shape': (${shape.join(', ')},), }`
  const header = `${text.padEnd(117)}\n`
  const head = Buffer.concat([Buffer.from('\x93NUMPY\x01\x00', 'latin1'), Buffer.from([header.length, 0])])
  const count = shape.reduce((product, side) => product * side, 1)
  const values = Int16Array.from({ length: count }, (_, index) => at(index))
  return Buffer.concat([head, Buffer.from(header, 'latin1'), Buffer.from(values.buffer)])
}

async function made(files: TestFile[]) {
  const session = await server.signUp({ vipSuper: 1 })
  const folderId = (await upload(server, session, { files })) ?? ''
  const task = 'volume_segmentation' as const
  const project = await server.call('projects/create', { name: 'arrays', task }, session)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, session)
  await look(makeWorker(server), data.id)
  const { data: dataset } = await server.call('datasets/detail', { id: data.id }, session)
  const { problems } = (await server.call('datasets/problems', { id: data.id }, session)).data
  return { dataset, problems: problems.map(({ path, reason }) => [path, reason]) }
}

const shape = [4, 6, 8]
const image = (seed: number): Buffer => npy(shape, (index) => (index * (seed + 7)) % 900)
const mask = npy(shape, (index) => Number(index % 8 < 3))
const pair = (name: string, seed: number): TestFile[] => [
  { path: `set/images/${name}.npy`, bytes: image(seed) },
  { path: `set/labels/${name}.npy`, bytes: mask },
]

it('arrays of three axes are pairs of volumes of unknown size', async () => {
  const { dataset, problems } = await made([
    ...['a', 'b', 'c'].flatMap(pair),
    { path: 'set/images/flat.npy', bytes: npy([6, 8], (index) => index) },
    { path: 'set/labels/flat.npy', bytes: npy([6, 8], () => 1) },
    { path: 'set/images/films.npy', bytes: npy([2, 4, 6, 8], (index) => index) },
    { path: 'set/labels/films.npy', bytes: mask },
  ])
  expect(dataset).toMatchObject({
    ...{ state: 'ready', layout: 'volume_pairs', classes: ['background', 'foreground'] },
    facts: { items: 3, unspaced: 3, spacing: null, depth: { max: 4 }, classCounts: [360, 216] },
  })
  expect(problems.toSorted()).toEqual([
    ['images/films.npy', 'several_volumes'],
    ['images/flat.npy', 'not_a_volume'],
    ['labels/flat.npy', 'not_a_volume'],
  ])
})

it('among volumes of known size they are set aside, and they are no masks of volumes that lie in the body', async () => {
  const nifti = (seed: number, at?: () => number) =>
    niftiVolume({ size: [8, 6, 4], spacing: [0.7, 0.7, 3], seed, ...(at ? { at } : {}) })
  const { dataset, problems } = await made([
    ...pair('a', 1),
    ...['b', 'c'].flatMap((name, seed) => [
      { path: `set/images/${name}.nii.gz`, bytes: nifti(seed + 1) },
      {
        path: `set/labels/${name}.nii.gz`,
        bytes: niftiVolume({ size: [8, 6, 4], spacing: [0.7, 0.7, 3], at: (x) => Number(x < 3) }),
      },
    ]),
    { path: 'set/images/d.nii.gz', bytes: nifti(9) },
    { path: 'set/labels/d.npy', bytes: mask },
  ])
  expect(dataset.facts).toMatchObject({ items: 2 })
  expect(dataset.facts?.unspaced).toBeUndefined()
  expect(problems.toSorted()).toEqual([
    ['images/a.npy', 'spacing_unknown'],
    ['labels/d.npy', 'orientation_differs'],
  ])
})
