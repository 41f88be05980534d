import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { networkFileLimits as limits } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { createLooks, type Looks } from './look.ts'

let folder: string
let looks: Looks | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'neuroloom-look-'))
})
afterEach(async () => {
  looks?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A program in place of the engine: what becomes of a look that meets it. */
async function meet(script: string, answerMs = 20_000): Promise<Looks> {
  const python = join(folder, 'python')
  await writeFile(python, `#!/bin/sh\n${script}\n`)
  await chmod(python, 0o755)
  const log = createLog('silent', 'test')
  looks = createLooks({ python, workFolder: join(folder, 'looks'), log, answerMs })
  return looks
}
const layOut = async (path: string): Promise<void> => writeFile(join(path, 'look.json'), '{}')

it.each([
  ['never answers', 'cat > /dev/null', 'too_slow'],
  ['ends at once', 'exit 3', 'internal'],
  ['is ended by the system for its memory', 'kill -9 $$', 'too_big'],
  [
    'says that there is too little',
    `read line; echo '{"type":"looked","code":"too_big"}'; cat > /dev/null`,
    'too_big',
  ],
  [
    'talks nonsense before its answer',
    `read line; echo junk; echo '{"type":"looked","code":"image"}'; cat`,
    'image',
  ],
])('a look at a program that %s fails with its reason and leaves nothing', async (_what, script, reason) => {
  const asked = await meet(script, 500)
  await expect(asked.ask('member', layOut)).rejects.toMatchObject({ reason })
  expect(await readdir(join(folder, 'looks'))).toEqual([])
})

it('those who waited too long are sent away, and those beyond what a member may have in line at once', async () => {
  const asked = await meet('cat > /dev/null', 300)
  const reasonOf = (member: string) =>
    asked.ask(member, layOut).then(
      () => 'seen',
      ({ reason }: { reason: string }) => reason,
    )
  const own = Array.from({ length: limits.lookWaiting + 2 }, () => reasonOf('member'))
  const other = reasonOf('other')
  expect(await Promise.all(own)).toEqual(['too_slow', ...new Array(limits.lookWaiting).fill('busy'), 'own'])
  expect(await other).toBe('busy')
})
