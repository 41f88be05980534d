/** An upload of very many files, by the clock. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())
type SameName = 'ask' | 'overwrite' | 'skip' | 'rename'

const prepare = (
  session: Session,
  paths: string[],
  {
    sameName = 'ask',
    sizeBytes = 1,
    parentId = null,
  }: { sameName?: SameName; sizeBytes?: number; parentId?: string | null } = {},
) =>
  server.call(
    'files/prepare',
    { parentId, sameName, files: paths.map((path) => ({ path, sizeBytes })) },
    session,
  )

describe('an uploaded folder', () => {
  it('counts as one thing, however many files it has', async () => {
    const session = await server.signUp()
    const paths = Array.from({ length: 20_000 }, (_, n) => `set/${n % 100}/${n}.png`)
    const start = performance.now()
    const { data } = await prepare(session, paths)
    expect(data.uploads).toHaveLength(20_000)
    expect(performance.now() - start).toBeLessThan(20_000)
  })
})
