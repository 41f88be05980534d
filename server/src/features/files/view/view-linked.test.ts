/** What a visitor without an account sees behind a share link: what the owner sees, less the patient. */
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeServer, type Session, type TestServer } from '../../../../test/harness.ts'
import { dicomSlice, niftiVolume } from '../../../../test/images.ts'
import { upload } from '../../../../test/uploads.ts'
import { makeWorker } from '../../../../test/worker.ts'
import { prepareView } from './view.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeServer()
})
afterAll(() => server.close())

/** A folder with these files, and their ids by name. */
async function put(owner: Session, files: Record<string, Buffer>) {
  const list = Object.entries(files).map(([name, bytes]) => ({ path: `scan/${name}`, bytes }))
  const folderId = (await upload(server, owner, { files: list })) ?? ''
  const { data } = await server.call('files/list', { folderId }, owner)
  const ids = new Map(data.entries.map(({ name, id }) => [name, id]))
  return { folderId, idOf: (name: string) => ids.get(name) ?? '' }
}

async function linkTo(owner: Session, id: string) {
  const { data } = await server.call(
    'files/createLink',
    { id, days: 7, password: null, withPatients: true },
    owner,
  )
  const visit = await server.call('files/visitLink', { token: data.token, password: '' })
  return { linkId: data.link.id, pass: visit.data.pass ?? '' }
}

const see = async (pass: string, id: string, series = false) =>
  (await server.call('files/viewLinked', { pass, id, series })).data

const three = () =>
  Object.fromEntries(
    [0, 1, 2].map((number) => [`${number}.dcm`, dicomSlice({ number, patient: 'Canary^Name' })]),
  )

describe('behind a share link', () => {
  it('a volume and a text are shown, until the link ends', async () => {
    const owner = await server.signUp({ vipLevel: 3 })
    const { folderId, idOf } = await put(owner, {
      'brain.nii.gz': niftiVolume({ size: [4, 3, 2] }),
      'note.txt': Buffer.from('seen by visitors'),
    })
    const { linkId, pass } = await linkTo(owner, folderId)
    const brain = await see(pass, idOf('brain.nii.gz'))
    expect(brain).toMatchObject({ kind: 'volume', state: 'ready', facts: { size: [4, 3, 2, 1] } })
    const bytes = await (await fetch(server.url + brain.url)).arrayBuffer()
    expect(gunzipSync(Buffer.from(bytes)).readInt32LE(0)).toBe(348)
    const note = await see(pass, idOf('note.txt'))
    expect(await (await fetch(server.url + note.url)).text()).toBe('seen by visitors')
    await server.call('files/revokeLink', { linkId }, owner)
    for (const { url } of [brain, note]) {
      expect(await (await fetch(server.url + url)).json()).toMatchObject({ data: { error: 'link_gone' } })
    }
    const late = await server.call('files/viewLinked', { pass, id: idOf('note.txt') })
    expect(late.data.error).toBe('link_gone')
  })

  it('a folder’s series opens whole, without the patient', async () => {
    const owner = await server.signUp({ vipLevel: 3 })
    const { folderId, idOf } = await put(owner, three())
    const { pass } = await linkTo(owner, folderId)
    const one = await see(pass, idOf('0.dcm'))
    expect(one).toMatchObject({ series: { files: 3, isShown: false }, tagsHidden: true })
    const whole = await see(pass, idOf('0.dcm'), true)
    expect(whole).toMatchObject({ facts: { size: [4, 3, 3, 1] }, series: { isShown: true } })
    expect(JSON.stringify([one, whole])).not.toContain('Canary')
  })

  it('a link to one slice tells nothing of those beside it', async () => {
    const owner = await server.signUp({ vipLevel: 3 })
    const { idOf } = await put(owner, three())
    const { pass } = await linkTo(owner, idOf('1.dcm'))
    expect((await see(pass, idOf('1.dcm'))).series).toBeNull()
    expect((await see(pass, idOf('1.dcm'), true)).facts?.layout).toBe('slice')
    const beside = await server.call('files/viewLinked', { pass, id: idOf('2.dcm') })
    expect(beside.data.error).toBe('missing')
  })

  it('a header leads to its second file only where the link shows that too', async () => {
    const owner = await server.signUp({ vipLevel: 3 })
    const header =
      'ObjectType = Image\nNDims = 3\nDimSize = 2 2 2\nElementType = MET_UCHAR\nElementDataFile = a.raw\n'
    const { folderId, idOf } = await put(owner, {
      'a.mhd': Buffer.from(header),
      'a.raw': Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]),
    })
    const folder = await linkTo(owner, folderId)
    expect((await see(folder.pass, idOf('a.mhd'))).facts?.range).toMatchObject({ max: 8 })
    const alone = await linkTo(owner, idOf('a.mhd'))
    expect((await see(alone.pass, idOf('a.mhd'))).reason?.name).toBe('data_file_missing')
  })

  it('a job prepares what takes long, for as long as the link stands', async () => {
    const owner = await server.signUp({ vipLevel: 3 })
    const { folderId, idOf } = await put(owner, three())
    const { linkId, pass } = await linkTo(owner, folderId)
    const worker = makeWorker(server)
    await prepareView(worker, { linkId, fileId: idOf('2.dcm'), series: true })
    expect((await see(pass, idOf('2.dcm'), true)).state).toBe('ready')
    await server.call('files/revokeLink', { linkId }, owner)
    await prepareView(worker, { linkId, fileId: idOf('1.dcm'), series: false })
  })
})
