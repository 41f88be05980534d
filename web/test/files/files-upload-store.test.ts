import { files as limits, uploads as pacing } from '@neuroloom/contract/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { PickedGroup } from '../../src/features/files/upload/picked-files.ts'
import { createSender } from '../../src/features/files/upload/upload-send.ts'
import { type UploadServices, UploadStore } from '../../src/features/files/upload/upload-store.ts'
import { hash, startTusServer, type TusTestServer } from './files-tus-server.ts'

let server: TusTestServer
beforeEach(async () => {
  server = await startTusServer()
})
afterEach(async () => {
  await server.close()
})

describe('sending', () => {
  it('sends every file of a folder in one request each, with checksum, number and session', async () => {
    const onFinished = vi.fn()
    const { store, services } = makeStore()
    store.add([makeFolder({ 'a.png': 'first', 'sub/b.png': 'second', 'empty.txt': '' })], {
      parentId: 'top',
      onFinished,
    })
    await until(() => expect(jobOf(store).state).toBe('done'))

    expect(services.prepare).toHaveBeenCalledWith({
      parentId: 'top',
      sameName: 'ask',
      decisions: [],
      files: [
        { path: 'scans/a.png', sizeBytes: 5 },
        { path: 'scans/sub/b.png', sizeBytes: 6 },
        { path: 'scans/empty.txt', sizeBytes: 0 },
      ],
    })
    expect(await server.arrived()).toEqual(expect.arrayContaining([hashOf('first'), hashOf('second')]))
    expect(server.requests).toHaveLength(3)
    for (const request of server.requests)
      expect(request).toMatchObject({ method: 'POST', isChecked: true, token: 'secret' })
    expect(server.requests.map(({ upload }) => upload).sort()).toEqual(['n0', 'n1', 'n2'])
    expect(jobOf(store)).toMatchObject({ doneFiles: 3, share: 1, failureCount: 0 })
    expect(onFinished).toHaveBeenCalledExactlyOnceWith('new-folder')
  })

  it('keeps to the limit of files at a time', async () => {
    let open = 0
    let most = 0
    server.intervene((_request, response) => {
      open += 1
      most = Math.max(most, open)
      response.on('close', () => {
        open -= 1
      })
      return 'pass'
    })
    const { store } = makeStore()
    const names = Array.from({ length: 40 }, (_, index) => [`${index}.png`, `bytes ${index}`])
    store.add([makeFolder(Object.fromEntries(names))], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(limits.parallelUploads)
    expect(await server.arrived()).toHaveLength(40)
  })

  it('sends small files together, each other one by itself, and what did not come through once more', async () => {
    const bundles: string[][] = []
    const sendMany: UploadServices['sendMany'] = (requests) => {
      const uploads = requests.map(({ upload }) => upload)
      bundles.push(uploads)
      // The first bundle loses its line, of the second one file is not taken.
      const isTaken = (upload: string) => bundles.length > 1 && upload !== uploads[1]
      return requests.map(({ upload }) => ({
        outcome: Promise.resolve({ kind: isTaken(upload) ? 'done' : 'cut' }),
        stop: () => undefined,
        location: () => null,
      }))
    }
    const { store } = makeStore(undefined, { sendMany })
    const small = Array.from({ length: 2 * pacing.bundleFiles }, (_, index) => [
      `${index}.png`,
      `bytes ${index}`,
    ])
    const large = makeBytes(pacing.bundledFileBytes + 1)
    store.add([makeFolder({ ...Object.fromEntries(small), 'large.bin': large })], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(bundles.map(({ length }) => length)).toEqual([pacing.bundleFiles, pacing.bundleFiles])
    expect(jobOf(store)).toMatchObject({ doneFiles: small.length + 1, failureCount: 0, share: 1 })
    expect(await server.arrived()).toHaveLength(pacing.bundleFiles + 2)
    expect(await server.arrived()).toContain(hash(large))
  })

  it('gets a large file through a line that is cut again and again, and sends no chunk twice', async () => {
    const bytes = makeBytes(2 * limits.chunkBytes + 1000)
    let cuts = 0
    server.intervene((request) => {
      if (request.method !== 'PATCH' || cuts >= 3) return 'pass'
      cuts += 1
      request.socket.destroy()
      return 'taken'
    })
    const { store } = makeStore()
    store.add([makeFolder({ 'scan.dcm': bytes })], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(await server.arrived()).toEqual([hash(bytes)])
    expect(cuts).toBe(3)
    const methods = server.requests.map(({ method }) => method)
    expect(methods.filter((method) => method === 'POST')).toHaveLength(1)
    const served = server.requests.filter(({ isServed, method }) => isServed && method === 'PATCH')
    expect(new Set(served.map(({ offset }) => offset)).size).toBe(served.length)
  })

  it('asks before sending again when the answer got lost, and sends nothing twice', async () => {
    let isMuted = false
    server.intervene(() => {
      if (isMuted) return 'pass'
      isMuted = true
      return 'mute'
    })
    const { store } = makeStore()
    store.add([makeFolder({ 'a.png': makeBytes(60_000) })], { parentId: null })
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: 1 }))
    expect(server.requests.map(({ method }) => method)).toEqual(['POST', 'HEAD'])
    expect(await server.arrived()).toEqual([hash(makeBytes(60_000))])
  })

  it('names the file that the server refuses and goes on with the others', async () => {
    server.intervene((request, response) => {
      if (metadataOf(request) !== 'n1') return 'pass'
      response.writeHead(413, { 'content-type': 'application/json' }).end('{"code":20205,"message":""}')
      return 'taken'
    })
    const onFinished = vi.fn()
    const { store } = makeStore()
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' })], { parentId: null, onFinished })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(jobOf(store).failures).toMatchObject([{ path: 'scans/b.png', reason: { name: 'file_too_large' } }])
    expect(jobOf(store).doneFiles).toBe(2)
    expect(onFinished).toHaveBeenCalledOnce()

    server.intervene(() => 'pass')
    store.retryFailed(jobOf(store).key)
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: 3 }))
    expect(jobOf(store).failures).toEqual([])
    expect(await server.arrived()).toHaveLength(3)
  })

  it('gives a file up after the server was unable to take it several times', async () => {
    server.intervene((_request, response) => {
      response.writeHead(503).end()
      return 'taken'
    })
    const { store } = makeStore()
    store.add([makeFolder({ 'a.png': 'a' })], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(jobOf(store).failures).toMatchObject([{ reason: { name: 'busy' } }])
    expect(server.requests).toHaveLength(1 + retryMs.length)
  })

  it('stops everything with one reason when the disk is full, and goes on when told to', async () => {
    server.intervene((_request, response) => {
      response.writeHead(507).end('{"code":20210}')
      return 'taken'
    })
    const { store } = makeStore()
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b' })], { parentId: null })
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'paused', reason: { name: 'disk_full' } }))
    server.intervene(() => 'pass')
    store.resume(jobOf(store).key)
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: 2, reason: null }))
  })
})

describe('a folder as large as allowed', () => {
  it('is sent without holding more than a few files, and lets go of those that arrived', async () => {
    const count = limits.filesPerFolderUpload
    let open = 0
    let most = 0
    const send: UploadServices['send'] = () => {
      open += 1
      most = Math.max(most, open)
      const outcome = Promise.resolve().then(() => {
        open -= 1
        return { kind: 'done' } as const
      })
      return { outcome, stop: () => {}, location: () => null }
    }
    const { store } = makeStore(send)
    let largestView = 0
    store.subscribe(() => {
      largestView = Math.max(largestView, store.view().jobs[0]?.rows.length ?? 0)
    })
    const names = Array.from({ length: count }, (_, index) => [`${index}.png`, 'x'])
    store.add([makeFolder(Object.fromEntries(names))], { parentId: null })
    await until(() =>
      expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: count, sentBytes: count }),
    )
    expect(most).toBe(limits.parallelUploads)
    expect(largestView).toBeLessThan(10)
  })
})

describe('pause, continue, terminate', () => {
  it('pauses in the middle of a file and continues where it was', async () => {
    const bytes = makeBytes(limits.chunkBytes + 500)
    const gate = makeGate()
    server.intervene((request) => (request.method === 'PATCH' ? gate.wait() : 'pass'))
    const { store } = makeStore()
    store.add([makeFolder({ 'scan.dcm': bytes, 'b.png': 'b' })], { parentId: null })
    await gate.reached
    store.pause(jobOf(store).key)
    expect(jobOf(store)).toMatchObject({ state: 'paused' })
    expect(jobOf(store).rows).toMatchObject([{ path: 'scans/scan.dcm', state: 'waiting' }])
    const sentBefore = jobOf(store).sentBytes
    expect(sentBefore).toBeGreaterThanOrEqual(pacing.firstChunkBytes)

    gate.open()
    store.resume(jobOf(store).key)
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(await server.arrived()).toEqual(expect.arrayContaining([hash(bytes)]))
    expect(server.requests.filter(({ method }) => method === 'HEAD')).not.toHaveLength(0)
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(2)
  })

  it('lets the others pass while one file is paused', async () => {
    const gate = makeGate()
    server.intervene((request) => (metadataOf(request) === 'n0' ? gate.wait() : 'pass'))
    const { store } = makeStore()
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b', 'c.png': 'c' })], { parentId: null })
    await gate.reached
    const row = rowOf(store, 'scans/a.png')
    store.pauseFile(jobOf(store).key, row.key)
    await until(() => expect(jobOf(store).doneFiles).toBe(2))
    expect(jobOf(store)).toMatchObject({ state: 'sending', rows: [{ path: 'scans/a.png', state: 'paused' }] })
    gate.open()
    store.resumeFile(jobOf(store).key, row.key)
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: 3 }))
  })

  it('terminates one file and returns its space', async () => {
    const gate = makeGate()
    server.intervene((request) => (metadataOf(request) === 'n0' ? gate.wait() : 'pass'))
    const { store, services } = makeStore()
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b' })], { parentId: null })
    await gate.reached
    store.terminateFile(jobOf(store).key, rowOf(store, 'scans/a.png').key)
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', totalFiles: 1, doneFiles: 1 }))
    expect(services.cancel).toHaveBeenCalledExactlyOnceWith(['n0'])
    gate.open()
  })

  it('terminates all: keeps what arrived, returns the rest, reports nothing as finished', async () => {
    const gate = makeGate()
    server.intervene((request) => (metadataOf(request) === 'n0' ? 'pass' : gate.wait()))
    const onFinished = vi.fn()
    const { store, services } = makeStore()
    const names = Array.from({ length: 9 }, (_, index) => [`${index}.png`, 'x'])
    store.add([makeFolder(Object.fromEntries(names))], { parentId: null, onFinished })
    await until(() => expect(jobOf(store).doneFiles).toBe(1))
    store.terminate(jobOf(store).key)
    expect(jobOf(store)).toMatchObject({ state: 'cancelled', doneFiles: 1, rows: [] })
    expect(services.cancel.mock.calls[0]?.[0].sort()).toEqual(
      names.slice(1).map((_, index) => `n${index + 1}`),
    )
    expect(onFinished).not.toHaveBeenCalled()
    expect(store.view().isBusy).toBe(false)
    gate.open()
  })
})

describe('names that exist already', () => {
  const conflict = { conflicts: ['scans/a.png'], uploads: [], refused: [], folderId: null, batch: null }

  it('asks once for all and sends what the answer allows', async () => {
    const { store, services } = makeStore()
    services.prepare.mockResolvedValueOnce(conflict)
    services.prepare.mockResolvedValueOnce({
      ...conflict,
      conflicts: [],
      uploads: [null, 'n1'],
      folderId: 'f',
      batch: 'b',
    })
    const onFinished = vi.fn()
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b' })], { parentId: null, onFinished })
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'asking', conflicts: ['scans/a.png'] }))
    expect(server.requests).toEqual([])
    store.answer(jobOf(store).key, new Map([['scans/a.png', 'skip']]))
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', skippedFiles: 1, doneFiles: 1 }))
    expect(services.prepare.mock.calls[1]?.[0]).toMatchObject({
      sameName: 'ask',
      decisions: [{ path: 'scans/a.png', sameName: 'skip' }],
    })
    expect(onFinished).toHaveBeenCalledExactlyOnceWith('f')
  })

  it('sends nothing when the answer is to leave it', async () => {
    const { store, services } = makeStore()
    services.prepare.mockResolvedValueOnce(conflict)
    store.add([makeFolder({ 'a.png': 'a' })], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('asking'))
    store.answer(jobOf(store).key, null)
    expect(store.view()).toMatchObject({ jobs: [], isBusy: false })
    expect(services.prepare).toHaveBeenCalledOnce()
  })

  it('lists what the server would not announce and does not offer to repeat it', async () => {
    const { store, services } = makeStore()
    services.prepare.mockResolvedValueOnce({
      conflicts: [],
      uploads: [null, 'n1'],
      refused: [{ path: 'scans/a.png', reason: 'name_invalid' }],
      folderId: 'f',
      batch: 'b',
    })
    store.add([makeFolder({ 'a.png': 'a', 'b.png': 'b' })], { parentId: null })
    await until(() => expect(jobOf(store).state).toBe('done'))
    expect(jobOf(store)).toMatchObject({
      doneFiles: 1,
      skippedFiles: 0,
      canRetry: false,
      failures: [{ path: 'scans/a.png', key: null, reason: { name: 'name_invalid' } }],
    })
  })

  it('says why nothing of an upload was taken, and tries again when asked', async () => {
    const { store, services } = makeStore()
    services.prepare.mockRejectedValueOnce(new Error('storage full'))
    store.add([makeFolder({ 'a.png': 'a' })], { parentId: null })
    await until(() =>
      expect(jobOf(store)).toMatchObject({ state: 'refused', reason: { name: 'storage_full' } }),
    )
    store.retryFailed(jobOf(store).key)
    await until(() => expect(jobOf(store)).toMatchObject({ state: 'done', doneFiles: 1 }))
  })
})

const retryMs = [5, 5, 5]

/** A busy machine may take its time; a wrong state would stay wrong. */
const until = (check: () => void) => vi.waitFor(check, { timeout: 120_000 })

function makeStore(
  send = createSender({ endpoint: () => server.endpoint, headers: () => ({ token: 'secret' }) }),
  more: Partial<UploadServices> = {},
) {
  const prepare = vi.fn<UploadServices['prepare']>(async ({ files }) => ({
    conflicts: [],
    uploads: files.map((_, index) => `n${index}`),
    refused: [],
    folderId: 'new-folder',
    batch: 'b',
  }))
  const cancel = vi.fn<UploadServices['cancel']>(async () => {})
  const reasonOf: UploadServices['reasonOf'] = () => ({ name: 'storage_full', params: {} })
  const store = new UploadStore({ prepare, cancel, send, reasonOf, retryMs, ...more })
  return { store, services: { prepare, cancel } }
}

function makeFolder(contents: Record<string, string | Uint8Array<ArrayBuffer>>): PickedGroup {
  const files = Object.entries(contents).map(([name, bytes]) => ({
    path: `scans/${name}`,
    file: new File([bytes], name),
  }))
  return { name: 'scans', isFolder: true, files }
}

function makeBytes(length: number) {
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index += 997) bytes[index] = index % 251
  return bytes
}

/** Holds requests until opened; `reached` tells that the first one stands before it. */
function makeGate() {
  let open = () => {}
  let reach = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const wait = async (): Promise<'pass'> => {
    reach()
    await opened
    return 'pass'
  }
  return { open, reached, wait }
}

const hashOf = (text: string) => hash(new TextEncoder().encode(text))

function metadataOf(request: { headers: Record<string, unknown> }) {
  const encoded = String(request.headers['upload-metadata'] ?? '').split(' ')[1] ?? ''
  return atob(encoded)
}

function jobOf(store: UploadStore) {
  const job = store.view().jobs[0]
  if (!job) throw new Error('no upload is listed')
  return job
}

function rowOf(store: UploadStore, path: string) {
  const row = jobOf(store).rows.find((one) => one.path === path)
  if (!row) throw new Error(`no row shows ${path}`)
  return row
}
