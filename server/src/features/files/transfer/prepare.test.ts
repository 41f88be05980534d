import { files as limits, slices } from '@neuroloom/contract/limits'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { tusCreate, upload } from '../../../../test/uploads.ts'
import { oneAtATime } from '../../../infra/aside/slices.ts'
import { planUpload } from './prepare-plan.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

const GIGABYTE = 1024 ** 3
const bytes = (text: string) => Buffer.from(text)
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
const entriesIn = async (session: Session, folderId: string | null) =>
  (await server.call('files/list', { folderId }, session)).data.entries

describe('an uploaded folder', () => {
  it('gets its whole tree at once, and one number a file in the order of the request', async () => {
    const session = await server.signUp()
    const { data } = await prepare(session, ['set/b/2.png', 'set/a/1.png', 'set/b/c/3.png'])
    expect(data.uploads).toHaveLength(3)
    expect(new Set(data.uploads).size).toBe(3)
    expect((await entriesIn(session, null))[0]).toMatchObject({ id: data.folderId, name: 'set' })
    expect((await entriesIn(session, data.folderId)).map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('is merged into a folder of the same name', async () => {
    const session = await server.signUp()
    const first = await prepare(session, ['set/a/1.png'])
    const second = await prepare(session, ['set/a/2.png', 'set/b/3.png'])
    expect(second.data.folderId).toBe(first.data.folderId)
    expect((await entriesIn(session, null)).map(({ name }) => name)).toEqual(['set'])
  })

  it('stands beside a file of its name', async () => {
    const session = await server.signUp()
    await upload(server, session, { files: [{ path: 'set', bytes: bytes('a file') }] })
    await prepare(session, ['set/1.png'])
    expect((await entriesIn(session, null)).map(({ name }) => name)).toEqual(['set (2)', 'set'])
  })
})

describe('a large upload', () => {
  it('waits for its turn among other long works, while a small one does not', async () => {
    const session = await server.signUp()
    let release: () => void = () => undefined
    const held = oneAtATime(
      'somebody else',
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    let isAnswered = false
    const paths = Array.from({ length: 1000 }, (_, n) => `set/${n}.png`)
    const large = prepare(session, paths).then((answer) => {
      isAnswered = true
      return answer
    })
    expect((await prepare(session, ['a.png'])).code).toBe(10200)
    expect(isAnswered).toBe(false)
    release()
    await held
    expect((await large).data.uploads).toHaveLength(paths.length)
  })

  it('is refused unread where as many of the member wait for their turn as may', async () => {
    const session = await server.signUp()
    let release: () => void = () => undefined
    const held = oneAtATime(
      'somebody else',
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    const paths = Array.from({ length: 1000 }, (_, n) => `set/${n}.png`)
    const answers = Array.from({ length: slices.waiting + 2 }, () =>
      prepare(session, paths).then((answer) => {
        // The one that is refused is answered first of all: it lets the others go on.
        release()
        return answer
      }),
    )
    const errors = (await Promise.all(answers)).map(({ data }) => data.error ?? 'none')
    expect(errors.sort()).toEqual([...Array(slices.waiting + 1).fill('none'), 'too_much_at_once'])
    await held
    expect((await prepare(session, ['b.png'])).code).toBe(10200)
  })

  it('is worked out in steps with pauses between, and its names are found without trying all earlier ones', async () => {
    let pauses = 0
    const pause = async () => {
      pauses += 1
    }
    const file = { path: 'set/scan.png', sizeBytes: 1, unpack: 'no' as const, encoding: null }
    const files = Array.from({ length: 20_000 }, (_, n) => ({
      ...file,
      path: `set/${n % 2 ? n : 'same'}.png`,
    }))
    const request = { parentId: null, sameName: 'rename' as const, decisions: [], files }
    const { uploads } = await planUpload(request, { depth: 0, load: async () => [], pause })
    expect(uploads.filter((one) => one !== null)).toHaveLength(files.length)
    expect(new Set(uploads.map((one) => one?.name)).size).toBe(files.length)
    expect(uploads.at(-2)?.name).toBe('same (10000).png')
    // Three times over all files, at most 50 of them between two pauses.
    expect(pauses).toBeGreaterThan((3 * files.length) / 50 - 1)
  })
})

describe('same names', () => {
  const there = async (): Promise<{ session: Session; set: string }> => {
    const session = await server.signUp()
    const set = await upload(server, session, { files: [{ path: 'set/1.png', bytes: bytes('old') }] })
    return { session, set: set ?? '' }
  }

  it('changes nothing and names what exists, when asked to ask', async () => {
    const { session, set } = await there()
    const { data } = await prepare(session, ['set/1.png', 'set/new/2.png'])
    expect(data).toEqual({ conflicts: ['set/1.png'], uploads: [], refused: [], folderId: null, batch: null })
    expect(await entriesIn(session, set)).toHaveLength(1)
  })

  it('goes by what was decided for each path, and asks for the rest alone', async () => {
    const { session, set } = await there()
    await upload(server, session, {
      parentId: set,
      files: ['2', '3', '__proto__'].map((name) => ({ path: name, bytes: bytes('old') })),
    })
    const paths = ['1.png', '2', '3', '__proto__', 'new']
    const ask = (decisions: { path: string; sameName: 'overwrite' | 'skip' | 'rename' }[]) =>
      server.call(
        'files/prepare',
        { parentId: set, sameName: 'ask', decisions, files: paths.map((path) => ({ path, sizeBytes: 6 })) },
        session,
      )
    const first = await ask([
      { path: '1.png', sameName: 'skip' },
      { path: '2', sameName: 'overwrite' },
    ])
    expect(first.data.conflicts).toEqual(['3', '__proto__'])
    const { data } = await ask([
      { path: '1.png', sameName: 'skip' },
      { path: '2', sameName: 'overwrite' },
      { path: '3', sameName: 'rename' },
      { path: '__proto__', sameName: 'skip' },
    ])
    expect(data.uploads.map((one) => one !== null)).toEqual([false, true, true, false, true])
    for (const number of data.uploads)
      if (number) await tusCreate(server, session, { upload: number, bytes: bytes('newest') })
    const found = await entriesIn(session, set)
    expect(found.map(({ name, sizeBytes }) => `${name} ${sizeBytes}`).sort()).toEqual(
      ['1.png 3', '2 6', '3 3', '3 (2) 6', '__proto__ 3', 'new 6'].sort(),
    )
  })

  it('lets fifty uploads of one name at once each keep what it was told', async () => {
    const session = await server.signUp()
    const choices = ['overwrite', 'skip', 'rename'] as const
    const asked = Array.from({ length: 50 }, (_, n) => choices[n % 3] ?? 'skip')
    const announced = await Promise.all(
      asked.map((sameName) => prepare(session, ['same.bin'], { sameName, sizeBytes: 4 })),
    )
    const numbers = announced.map(({ data }) => data.uploads[0])
    const answers = await Promise.all(
      numbers.map((number, n) =>
        number ? tusCreate(server, session, { upload: number, bytes: Buffer.from(String(1000 + n)) }) : null,
      ),
    )
    expect(answers.every((answer) => answer === null || answer.status === 201)).toBe(true)
    const entries = await entriesIn(session, null)
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length)
    expect(entries.length).toBeGreaterThan(asked.filter((one) => one === 'rename').length - 1)
    const { data: size } = await server.call('user/size', {}, session)
    expect(size.storageSize).toBe(4 * entries.length)
  })

  it('skips', async () => {
    const { session } = await there()
    const { data } = await prepare(session, ['set/1.png', 'set/2.png'], { sameName: 'skip' })
    expect(data.uploads).toEqual([null, expect.any(String)])
  })

  it.each([
    ['rename', ['1 (2).png', '1.png']],
    ['overwrite', ['1.png']],
  ] as const)('does %s', async (sameName, names) => {
    const { session, set } = await there()
    const { data } = await prepare(session, ['set/1.png'], { sameName, sizeBytes: 6 })
    await tusCreate(server, session, { upload: data.uploads[0] ?? '', bytes: bytes('newest') })
    expect((await entriesIn(session, set)).map(({ name }) => name)).toEqual(names)
    const { data: size } = await server.call('user/size', {}, session)
    expect(size.storageSize).toBe(sameName === 'rename' ? 9 : 6)
  })

  it('tells two files of one request apart that have one name', async () => {
    const session = await server.signUp()
    const paths = ['set/caf\u00e9.png', 'set/cafe\u0301.png']
    const { data } = await prepare(session, paths, { sameName: 'rename' })
    for (const number of data.uploads)
      await tusCreate(server, session, { upload: number ?? '', bytes: bytes('x') })
    const names = (await entriesIn(session, data.folderId)).map(({ name }) => name)
    expect(names).toEqual(['caf\u00e9 (2).png', 'caf\u00e9.png'])
  })

  it('loses no bytes when the name is taken while the upload is under way', async () => {
    const session = await server.signUp()
    const first = await prepare(session, ['set/1.png'])
    const second = await prepare(session, ['set/1.png'])
    const numbers = [first.data.uploads[0] ?? '', second.data.uploads[0] ?? '']
    const answers = await Promise.all(
      numbers.map((number, n) => tusCreate(server, session, { upload: number, bytes: bytes(String(n)) })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    const names = (await entriesIn(session, first.data.folderId)).map(({ name }) => name)
    expect(names).toEqual(['1 (2).png', '1.png'])
  })
})

describe('limits', () => {
  it('refuses more than 200 loose files', async () => {
    const session = await server.signUp()
    const paths = Array.from({ length: 201 }, (_, n) => `${n}.png`)
    expect((await prepare(session, paths)).data.error).toBe('too_many_files')
    expect((await prepare(session, paths.slice(1))).code).toBe(10200)
  })

  it('names files that cannot be taken and goes on with the rest', async () => {
    const session = await server.signUp()
    const { data } = await server.call(
      'files/prepare',
      {
        parentId: null,
        sameName: 'ask',
        files: [
          { path: 'set/good.png', sizeBytes: 1 },
          { path: 'set/../bad.png', sizeBytes: 1 },
          { path: 'set//bad.png', sizeBytes: 1 },
          { path: `set/${'x'.repeat(201)}.png`, sizeBytes: 1 },
          { path: `set/${'d/'.repeat(40)}deep.png`, sizeBytes: 1 },
          { path: 'set/huge.nii', sizeBytes: 51 * GIGABYTE },
        ],
      },
      session,
    )
    expect(data.uploads.map((one) => one !== null)).toEqual([true, false, false, false, false, false])
    expect(data.refused.map(({ reason }) => reason)).toEqual([
      'name_invalid',
      'name_invalid',
      'name_invalid',
      'name_invalid',
      'file_too_large',
    ])
  })

  it('does not make a fourth folder at the top', async () => {
    const session = await server.signUp()
    await prepare(session, ['a/1.png', 'b/1.png', 'c/1.png'])
    expect((await prepare(session, ['d/1.png'])).data.error).toBe('plan_limit')
    expect((await prepare(session, ['a/2.png'])).code).toBe(10200)
  })

  it('refuses thousands of folders at the top by the first few of them', async () => {
    const session = await server.signUp()
    const paths = Array.from({ length: 10_000 }, (_, n) => `folder ${n}/1.png`)
    expect((await prepare(session, paths)).data).toMatchObject({ error: 'plan_limit', params: { limit: 3 } })
    expect(await entriesIn(session, null)).toEqual([])
  })

  it('refuses more folders than one upload may make, and reserves nothing', async () => {
    const session = await server.signUp()
    const paths = Array.from({ length: 5000 }, (_, n) => `set/${n}/a/b/c/d/1.png`)
    const { data } = await prepare(session, paths)
    expect(data).toMatchObject({ error: 'too_many_folders', params: { limit: limits.foldersPerUpload } })
    expect(await entriesIn(session, null)).toEqual([])
  })

  it('says of a file that is larger than any may be that it is too large, whatever room there is', async () => {
    const session = await server.signUp()
    const { data } = await prepare(session, ['huge.nii'], { sizeBytes: 2 ** 52 })
    expect(data).toMatchObject({ uploads: [null], refused: [{ path: 'huge.nii', reason: 'file_too_large' }] })
  })

  it('caps the files of one member that have not arrived', async () => {
    const session = await server.signUp()
    await server.ctx.db.execute(sql`
      insert into uploads (id, owner_id, member_id, name, size_bytes, same_name, touched_at, batch, path)
      select ${session.userId} || number, ${session.userId}, ${session.userId}, number, 0, 'rename',
        ${server.ctx.now()}, 'earlier', number
      from (select generate_series(1, ${limits.openUploads - 2})::text as number) as numbers`)
    const refused = { error: 'too_many_uploads', params: { limit: limits.openUploads } }
    expect((await prepare(session, ['a.bin', 'b.bin', 'c.bin'])).data).toMatchObject(refused)
    expect((await prepare(session, ['a.bin', 'b.bin'])).code).toBe(10200)
    expect((await prepare(session, ['c.bin'])).data).toMatchObject(refused)
    const { data } = await server.call('files/unfinished', {}, session)
    const [mine, earlier] = data.batches
    expect(mine).toMatchObject({ totalFiles: 2, openPath: 'a.bin' })
    expect(earlier).toMatchObject({ batch: 'earlier', totalFiles: limits.openUploads - 2, doneFiles: 0 })
    expect((await server.call('files/cancelBatch', { batch: 'earlier' }, session)).data.cancelled).toBe(
      limits.openUploads - 2,
    )
    expect((await prepare(session, ['c.bin'])).code).toBe(10200)
  })

  it('never reserves more than the plan has, also in parallel', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    const tries = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        prepare(session, [`${n}.bin`], { sizeBytes: GIGABYTE / 4, sameName: 'rename' }),
      ),
    )
    expect(tries.filter(({ code }) => code === 10200)).toHaveLength(4)
    expect(tries.filter(({ data }) => data.error === 'storage_full')).toHaveLength(8)
  })

  it('gives the space of a cancelled upload back, once', async () => {
    const session = await server.signUp({ vipLevel: 1 })
    const { data } = await prepare(session, ['a.bin'], { sizeBytes: GIGABYTE })
    expect((await prepare(session, ['b.bin'])).data.error).toBe('storage_full')
    const uploads = [data.uploads[0] ?? '']
    expect((await server.call('files/cancel', { uploads }, await server.signUp())).data.cancelled).toBe(0)
    expect((await server.call('files/cancel', { uploads }, session)).data.cancelled).toBe(1)
    expect((await server.call('files/cancel', { uploads }, session)).data.cancelled).toBe(0)
    expect((await prepare(session, ['b.bin'], { sizeBytes: GIGABYTE })).code).toBe(10200)
  })

  it('refuses a foreign folder, and a folder that is a file', async () => {
    const [owner, stranger] = [await server.signUp(), await server.signUp()]
    const set = await upload(server, owner, { files: [{ path: 'set/1.png', bytes: bytes('x') }] })
    expect((await prepare(stranger, ['1.png'], { parentId: set })).data.error).toBe('missing')
    const file = (await entriesIn(owner, set))[0]?.id ?? ''
    expect((await prepare(owner, ['1.png'], { parentId: file })).data.error).toBe('missing')
  })
})
