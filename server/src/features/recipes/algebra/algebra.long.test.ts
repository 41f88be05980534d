/** Thousands of masks are measured. */
import type { Answer } from '@neuroloom/contract/calls'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeServer, type TestServer } from '../../../../test/harness.ts'
import { makeFolders, mask } from '../../../../test/mask-folders.ts'
import { makeWorker } from '../../../../test/worker.ts'
import type { WorkerContext } from '../../../infra/context.ts'

let server: TestServer
let worker: WorkerContext
beforeAll(async () => {
  server = await makeServer({ enginePython: process.env.ENGINE_PYTHON ?? '/usr/bin/python3' })
  worker = makeWorker(server)
})
afterAll(async () => {
  worker.engine.close()
  await server.close()
})

it('measures thousands of masks a part at a time, and names what cannot be read', async () => {
  const me = await server.signUp()
  const bytes = await mask(4)
  const many = Array.from({ length: 450 }, (_, at) => [`a/${at}.png`, bytes] as const)
  const found = await makeFolders(server, me, {
    ...Object.fromEntries(many),
    'a/broken.png': Buffer.from('x'),
  })
  const folderId = found.get('a') ?? ''
  let broken = 0
  let measured = 0
  for (let from: number | null = 0; from !== null; ) {
    const { data }: { data: Answer<'recipes/measure'> } = await server.call(
      'recipes/measure',
      { folderId, from },
      me,
    )
    expect(data.total).toBe(451)
    measured += data.masks.length
    broken += data.masks.filter(({ reason }) => reason?.name === 'not_an_image').length
    from = data.next
  }
  expect({ measured, broken }).toEqual({ measured: 451, broken: 1 })
})
