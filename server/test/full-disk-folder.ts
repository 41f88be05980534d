import type { Session, TestServer } from './harness.ts'

export const MEGABYTE = 1024 ** 2

export const prepare = (server: TestServer, who: Session, sizeBytes: number) =>
  server.call(
    'files/prepare',
    { parentId: null, sameName: 'rename', files: [{ path: 'a.bin', sizeBytes }] },
    who,
  )
