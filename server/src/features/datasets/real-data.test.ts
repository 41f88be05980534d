/** Two small real sets, uploaded and looked at by the real engine. Skipped where they are not there. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../test/harness.ts'
import { firstCases, hasSet, makeRealSet } from '../../../test/real-sets.ts'

let server: TestServer
let member: Session
beforeAll(async () => {
  server = await makeServer()
  member = await server.signUp({ vipSuper: 1 })
})
afterAll(() => server.close())

it.runIf(hasSet('superresolution-set5/x4'))('reads pairs of two sizes', async () => {
  const asked = { task: 'super_resolution', set: 'superresolution-set5/x4' } as const
  const { dataset, problems } = await makeRealSet({ server, member }, asked)
  expect(problems).toEqual([])
  expect(dataset).toMatchObject({ layout: 'resolution_pairs', classes: [], facts: { items: 5, factor: 4 } })
})

it.runIf(hasSet('segmentation-hippocampus-slices'))('knows slices of one case by their names', async () => {
  const { dataset } = await makeRealSet(
    { server, member },
    { task: 'segmentation', set: 'segmentation-hippocampus-slices', wanted: firstCases },
  )
  expect(dataset).toMatchObject({ layout: 'images_masks', facts: { items: 32, patients: 8 } })
})
