/** A mask that lies elsewhere in the patient than its image is told, by all that both say of their place. */
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../test/harness.ts'
import { niftiVolume } from '../../../test/images.ts'
import { type TestFile, upload } from '../../../test/uploads.ts'
import { makeWorker } from '../../../test/worker.ts'
import { look } from './jobs.ts'
import { cornersApart } from './recognise/masks/corners.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const size: [number, number, number] = [12, 11, 10]
const spacing: [number, number, number] = [1, 1, 2]

type Place = { move?: [number, number, number]; turnDegrees?: number }

/** Turned about the axis of the body, then moved, in millimetres. */
function affineOf({ move = [0, 0, 0], turnDegrees = 0 }: Place): number[] {
  const [cos, sin] = [Math.cos((turnDegrees * Math.PI) / 180), Math.sin((turnDegrees * Math.PI) / 180)]
  return [
    ...[cos * spacing[0], -sin * spacing[1], 0, move[0]],
    ...[sin * spacing[0], cos * spacing[1], 0, move[1]],
    ...[0, 0, spacing[2], move[2]],
  ]
}

function volume(seed: number, place: Place, isMask: boolean): Buffer {
  const at = isMask ? (x: number, y: number): number => Number(x > 3 && x < 8 && y > 3 && y < 8) : undefined
  const bytes = gunzipSync(niftiVolume({ size, spacing, seed, ...(at ? { at } : {}) }))
  for (const [index, value] of affineOf(place).entries()) bytes.writeFloatLE(value, 280 + 4 * index)
  return gzipSync(bytes)
}

async function problemsOf(places: Place[]) {
  const files: TestFile[] = places.flatMap((place, index) => [
    { path: `set/imagesTr/case_${index}_0000.nii.gz`, bytes: volume(index + 1, {}, false) },
    { path: `set/labelsTr/case_${index}.nii.gz`, bytes: volume(index + 1, place, true) },
  ])
  const session = await server.signUp({ vipSuper: 1 })
  const folderId = (await upload(server, session, { files })) ?? ''
  const task = 'volume_segmentation' as const
  const project = await server.call('projects/create', { name: 'places', task }, session)
  const { data } = await server.call('datasets/recognise', { projectId: project.data.id, folderId }, session)
  await look(makeWorker(server), data.id)
  const { problems } = (await server.call('datasets/problems', { id: data.id }, session)).data
  return problems
    .map(({ path, reason, params }) => ({ name: path.split('/').at(-1), reason, params }))
    .sort((a, b) => String(a.name).localeCompare(String(b.name)))
}

it('more than half a voxel at any corner sets the mask aside, with the distance; less is rounding', async () => {
  const places: Place[] = [
    {},
    { move: [0.3, -0.3, 0.8] },
    { move: [0, 0, 10] },
    { turnDegrees: 20 },
    { move: [0.7, 0, 0] },
  ]
  expect(await problemsOf(places)).toEqual([
    { name: 'case_2.nii.gz', reason: 'place_differs', params: { voxels: 5, mm: 10 } },
    { name: 'case_3.nii.gz', reason: 'place_differs', params: { voxels: 4.1, mm: expect.any(Number) } },
    { name: 'case_4.nii.gz', reason: 'place_differs', params: { voxels: 0.7, mm: 0.7 } },
  ])
})

it('a volume that does not say where it lies is compared with nothing', () => {
  const here = { width: 3, height: 3, depth: 3, affine: affineOf({}) }
  expect(cornersApart(here, { ...here, affine: null })).toBeNull()
  expect(cornersApart(here, here)).toEqual({ voxels: 0, mm: 0 })
  expect(cornersApart(here, { ...here, affine: affineOf({ move: [0, 3, 0] }) })).toEqual({ voxels: 3, mm: 3 })
})
