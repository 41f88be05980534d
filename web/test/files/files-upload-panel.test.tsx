import 'fake-indexeddb/auto'
import { files as limits, uploadPanel } from '@neuroloom/contract/limits'
import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { zipSync } from 'fflate'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UploadButton } from '../../src/features/files/upload/upload-button.tsx'
import { recall, remember } from '../../src/features/files/upload/upload-memory.ts'
import { UploadPanel } from '../../src/features/files/upload/upload-panel.tsx'
import { uploads } from '../../src/features/files/upload/uploads.ts'
import { asPhone, signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { Refusal, serve } from '../serve.ts'
import { hash, startTusServer, type TusTestServer } from './files-tus-server.ts'

let server: TusTestServer
beforeEach(async () => {
  server = await startTusServer()
  // The page comes from where its uploads go.
  Reflect.get(window, 'happyDOM').setURL(`${server.origin}/cloudHome`)
  signIn()
})
afterEach(async () => {
  for (const { key } of uploads.view().jobs) {
    uploads.terminate(key)
    uploads.dismiss(key)
  }
  await server.close()
})

describe('uploading from a page', () => {
  it('sends a chosen folder, shows that it arrived, and reports the folder', async () => {
    const onFinished = vi.fn()
    const received = serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
    show(onFinished)
    await choose(makeFiles(['scans/a.txt', 'scans/sub/b.txt']), 'folder')
    const panel = await screen.findByRole('region', { name: 'Uploads' })
    await within(panel).findByText('All files arrived complete')
    expect(within(panel).getByText('2 of 2 files')).toBeVisible()
    expect((await server.arrived()).sort(byOrder)).toEqual(
      [hashOf('scans/a.txt'), hashOf('scans/sub/b.txt')].sort(byOrder),
    )
    expect(onFinished).toHaveBeenCalledExactlyOnceWith('folder-1')
    expect(received.find(({ path }) => path === 'files/prepare')?.body).toMatchObject({
      parentId: 'parent-1',
      sameName: 'ask',
    })
    expect(server.requests[0]?.token).toBe('a'.repeat(20))

    await userEvent.click(within(panel).getByRole('button', { name: 'Close the upload list' }))
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
  })

  it('goes by itself when everything arrived, but not while somebody is in it', async () => {
    serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
    show(vi.fn())
    await choose(makeFiles(['scans/a.txt']), 'folder')
    const panel = await screen.findByRole('region', { name: 'Uploads' })
    act(() => within(panel).getByRole('button', { expanded: true }).focus())
    await within(panel).findByText('All files arrived complete')
    vi.useFakeTimers()
    try {
      act(() => vi.advanceTimersByTime(uploadPanel.panelStaysMs * 2))
      expect(panel).toBeVisible()
      act(() => within(panel).getByRole('button', { expanded: true }).blur())
      act(() => vi.advanceTimersByTime(uploadPanel.panelStaysMs))
      expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
    } finally {
      vi.useRealTimers()
    }
  })

  it('is one line on a phone until somebody opens it', async () => {
    const isAsked = vi.spyOn(window, 'matchMedia').mockImplementation(asPhone)
    try {
      serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
      show(vi.fn())
      await choose(makeFiles(['scans/a.txt']), 'folder')
      const panel = await screen.findByRole('region', { name: 'Uploads' })
      await within(panel).findByText(/The upload of scans has ended/)
      expect(within(panel).queryByText('All files arrived complete')).toBeNull()
      await userEvent.click(within(panel).getByRole('button', { expanded: false }))
      expect(await within(panel).findByText('All files arrived complete')).toBeVisible()
    } finally {
      isAsked.mockRestore()
    }
  })

  it('asks for one taken name after the other, or for all that are left at once', async () => {
    const received = serve({
      ...quietCalls,
      'files/prepare': ({ files, decisions = [] }) => {
        const decided = new Set(decisions.map(({ path }) => path))
        const conflicts = ['a.txt', 'b.txt', 'c.txt'].filter((path) => !decided.has(path))
        return conflicts.length > 0
          ? { conflicts, uploads: [], refused: [], folderId: null, batch: null }
          : prepared(files.length)
      },
    })
    show()
    await choose(makeFiles(['a.txt', 'b.txt', 'c.txt', 'd.txt']), 'files')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('3 files are already there')
    expect(dialog).toHaveTextContent('a.txt1 of 3')
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Do the same for all 3 files' }))
    await userEvent.click(within(dialog).getByRole('radio', { name: /Keep both/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
    expect(dialog).toHaveTextContent('b.txt2 of 3')
    await userEvent.click(within(dialog).getByRole('radio', { name: /Skip/ }))
    await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Do the same for all 2 files' }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
    await screen.findByText('All files arrived complete')
    const announced = received.filter(({ path }) => path === 'files/prepare')
    expect(announced.map(({ body }) => body.decisions)).toEqual([
      [],
      [
        { path: 'a.txt', sameName: 'rename' },
        { path: 'b.txt', sameName: 'skip' },
        { path: 'c.txt', sameName: 'skip' },
      ],
    ])
  })

  it('names what is not right before anything is sent, and sends the rest', async () => {
    const received = serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
    show()
    const [bad, empty] = [new File(['no picture'], 'bad.png'), new File([], 'empty.txt')]
    await choose([...makeFiles(['good.txt', '.DS_Store']), bad, empty], 'files')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('2 files do not look right')
    expect(dialog).toHaveTextContent('bad.pngThe content is not what the name says.')
    expect(dialog).toHaveTextContent('empty.txtThe file is empty.')
    expect(screen.getByRole('status', { hidden: true })).toHaveTextContent(
      'Please choose what becomes of some files',
    )
    expect(received.filter(({ path }) => path === 'files/prepare')).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: 'Upload without them' }))
    await screen.findByText('1 of 1 file · 2 files left out as you asked · 1 hidden system file left out')
    // What somebody chose is no failure.
    expect(screen.getByText('All files arrived complete')).toBeVisible()
    expect(screen.queryByRole('region', { name: /not uploaded/ })).toBeNull()
    expect(received.find(({ path }) => path === 'files/prepare')?.body.files).toEqual([
      { path: 'good.txt', sizeBytes: 8 },
    ])
  })

  it('offers to unpack an archive on the server, and shows what came of it', async () => {
    const unpacked = makeUnpack()
    let isSent = false
    const received = serve({
      ...quietCalls,
      'files/prepare': ({ files }) => {
        isSent = true
        return prepared(files.length)
      },
      'files/unpacks': () => ({ unpacks: isSent ? [unpacked] : [] }),
      'files/dismissUnpack': ({ ids }) => ({ dismissed: ids.length }),
    })
    show()
    await choose([new File([emptyZip], 'scans.zip')], 'files')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('radio', { name: /Unpack it into a folder/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Upload' }))
    const report = { name: 'Unpacking ended, please read the report', expanded: false }
    await userEvent.click(await screen.findByRole('button', report))
    const card = screen.getByRole('article', { name: 'Unpacking scans.zip' })
    expect(received.find(({ path }) => path === 'files/prepare')?.body.files).toMatchObject([
      { path: 'scans.zip', unpack: 'unpack' },
    ])
    expect(card).toHaveTextContent('12 files extracted')
    expect(card).toHaveTextContent('Names were read as: Cyrillic, DOS (CP866)')
    await userEvent.click(within(card).getByRole('button', { name: 'Show' }))
    expect(card).toHaveTextContent('../evil.txtThe name leads out of the archive')
    expect(within(card).getByRole('link', { name: 'Open the folder' })).toHaveAttribute(
      'href',
      '/cloudFile?id=folder-2',
    )
  })

  it('folds a report of what has ended below the page, and leaves it open for whoever opened it', async () => {
    serve({ ...quietCalls, 'files/unpacks': () => ({ unpacks: [makeUnpack()] }) })
    show()
    const panel = await screen.findByRole('region', { name: 'Uploads' })
    const title = within(panel).getByRole('button', { name: 'Unpacking ended, please read the report' })
    expect(title).toHaveAttribute('aria-expanded', 'false')
    // The style sheet lays it below the page by these.
    expect(panel).toMatchObject({ dataset: { report: 'true', open: 'false' } })
    await userEvent.click(title)
    act(() => title.blur())
    await userEvent.unhover(panel)
    expect(title).toHaveAttribute('aria-expanded', 'true')
    expect(within(panel).getByRole('article', { name: 'Unpacking scans.zip' })).toBeVisible()
  })

  it('shows names of an archive that does not say its alphabet, and sends what was chosen', async () => {
    const received = serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
    show()
    // Two capitals in Russian, or one Chinese character.
    await choose([new File([zipNamed([0xca, 0xd2])], 'scans.zip')], 'files')
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('radio', { name: /Unpack it into a folder/ }))
    const names = within(dialog).getByRole('list', { name: 'Names as they will be' })
    expect(names).toHaveTextContent('室.txt')
    await userEvent.click(within(dialog).getByRole('combobox', { name: 'Names are written in' }))
    await userEvent.click(await screen.findByText('Cyrillic, Windows (CP1251)'))
    expect(names).toHaveTextContent('КТ.txt')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Upload' }))
    await screen.findByText('All files arrived complete')
    expect(received.find(({ path }) => path === 'files/prepare')?.body.files).toMatchObject([
      { path: 'scans.zip', unpack: 'unpack', encoding: 'windows-1251' },
    ])
  })

  it('names what did not arrive with its reason and no toast, and tries again', async () => {
    let isRefusing = true
    server.intervene((_request, response) => {
      if (!isRefusing) return 'pass'
      response.writeHead(413).end('{"code":20205}')
      return 'taken'
    })
    serve({ ...quietCalls, 'files/prepare': ({ files }) => prepared(files.length) })
    show()
    await choose(makeFiles(['a.txt']), 'files')
    const failures = await screen.findByRole('region', { name: '1 file was not uploaded' })
    expect(failures).toHaveTextContent(
      'a.txtThis file is larger than can be stored. Split it or make it smaller.',
    )
    expect(screen.queryByRole('alert')).toBeNull()
    isRefusing = false
    await userEvent.click(within(failures).getByRole('button', { name: 'Try again' }))
    await screen.findByText('All files arrived complete')
  })

  it('tells why nothing was taken at all', async () => {
    serve({
      ...quietCalls,
      'files/prepare': () => {
        throw new Refusal('plan_limit', { limit: 3 })
      },
    })
    show()
    await choose(makeFiles(['scans/a.txt']), 'folder')
    await screen.findByText(/allows 3 folders at the top of the cloud storage/)
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByText('Nothing was uploaded')).toBeVisible()
  })

  it('pauses, continues and stops by its buttons, and holds the tab meanwhile', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    server.intervene(() => held.then(() => 'pass'))
    const received = serve({
      ...quietCalls,
      'files/prepare': ({ files }) => prepared(files.length),
      'files/cancel': ({ uploads: numbers }) => ({ cancelled: numbers.length }),
    })
    show()
    await choose(makeFiles(['scans/a.txt']), 'folder')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Pause scans' }))
    expect(screen.getAllByText('Paused').length).toBeGreaterThan(0)
    expect(isLeavingHeld()).toBe(true)
    await person.click(screen.getByRole('button', { name: 'Continue scans' }))
    await person.click(await screen.findByRole('button', { name: 'Stop the upload of scans' }))
    await person.click(await screen.findByRole('button', { name: 'Stop the upload' }))
    await screen.findByText('Stopped. What had already arrived is kept.')
    await waitFor(() =>
      expect(received.find(({ path }) => path === 'files/cancel')?.body).toEqual({ uploads: ['n0'] }),
    )
    expect(isLeavingHeld()).toBe(false)
    release()
  })

  it('offers to pack too many single files, or to choose their folder, and sends nothing by itself', async () => {
    const received = serve(quietCalls)
    show()
    await choose(makeFiles(Array.from({ length: 201 }, (_, index) => `${index}.txt`)), 'files')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('201 single files are too many at once')
    expect(within(dialog).getByRole('button', { name: 'Choose the folder' })).toBeEnabled()
    const name = within(dialog).getByLabelText('Name of the folder')
    expect(within(dialog).getByRole('button', { name: 'Pack and upload' })).toBeEnabled()
    await userEvent.clear(name)
    await userEvent.type(name, 'a/b')
    expect(within(dialog).getByRole('button', { name: 'Pack and upload' })).toBeDisabled()
    expect(received.filter(({ path }) => path === 'files/prepare')).toEqual([])
    expect(uploads.view().jobs).toEqual([])
  })
})

describe('an upload that was interrupted', () => {
  it('goes on with the same files chosen again, and sends nothing twice', async () => {
    const bytes = new Uint8Array(limits.chunkBytes + 900).fill(65)
    await fetch(server.endpoint, {
      method: 'POST',
      headers: {
        'Tus-Resumable': '1.0.0',
        'Upload-Length': String(bytes.length),
        'Upload-Metadata': `upload ${btoa('n7')}`,
        'Content-Type': 'application/offset+octet-stream',
      },
      body: bytes.slice(0, limits.chunkBytes),
    })
    serve({
      ...quietCalls,
      'files/unfinished': () => ({ batches: [makeBatch(bytes.length)] }),
      'files/unfinishedFiles': () => ({ files: [makeOpenFile(bytes.length)], next: null }),
      'files/received': () => ({
        receivedBytes: limits.chunkBytes,
        blockBytes: limits.chunkBytes,
        sums: [hash(bytes.slice(0, limits.chunkBytes))],
        next: null,
      }),
    })
    show()
    const card = await screen.findByRole('article', { name: 'scan.txt' })
    expect(card).toHaveTextContent('1 file waits: choose the same file again')
    const before = server.requests.length
    const [picker] = within(card)
      .getAllByLabelText<HTMLInputElement>('Choose the files again')
      .filter(({ type }) => type === 'file')
    await userEvent.upload(picker as HTMLElement, new File(['another'], 'scan.txt'))
    await within(card).findByText(/is not among those you chose/)
    await userEvent.upload(picker as HTMLElement, new File([bytes], 'scan.txt'))
    await screen.findByText('All files arrived complete')
    const methods = server.requests.slice(before).map(({ method }) => method)
    expect(methods).toEqual(['HEAD', 'PATCH'])
    expect(await server.arrived()).toEqual([hash(bytes)])
  })

  it('is shown to nobody else', async () => {
    const received = serve({ ...quietCalls, 'files/unfinished': () => ({ batches: [] }) })
    await remember({ batch: 'foreign', userId: 'somebody else', handles: [], packed: null })
    expect([...(await recall('u1')).keys()]).toEqual([])
    expect([...(await recall('somebody else')).keys()]).toEqual([])
    expect(received).toEqual([])
  })
})

function show(onFinished?: (folderId: string | null) => void) {
  const more = onFinished ? { onFinished } : {}
  renderPart(
    <>
      <UploadButton parentId="parent-1" kind="folder" label="Upload" {...more} />
      <UploadPanel />
    </>,
  )
}

/** Hands files to the hidden picker behind the button, as the system's dialog would. */
async function choose(files: File[], kind: 'folder' | 'files') {
  const pickers = await screen.findAllByLabelText<HTMLInputElement>('Upload')
  const picker = pickers.find(
    (one) => one.type === 'file' && one.hasAttribute('webkitdirectory') === (kind === 'folder'),
  )
  if (!picker) throw new Error(`no picker for ${kind}`)
  await userEvent.upload(picker, files)
}

function makeFiles(paths: string[]): File[] {
  return paths.map((path) => {
    const file = new File([path], path.slice(path.lastIndexOf('/') + 1))
    Object.defineProperty(file, 'webkitRelativePath', { value: path.includes('/') ? path : '' })
    return file
  })
}

/** What the panel asks by itself. */
const quietCalls = {
  'files/unfinished': () => ({ batches: [] }),
  'files/unpacks': () => ({ unpacks: [] }),
}

const makeBatch = (sizeBytes: number) => ({
  batch: 'b7',
  parentId: null,
  place: '',
  startedAt: new Date().toISOString(),
  totalFiles: 2,
  totalBytes: sizeBytes + 10,
  doneFiles: 1,
  doneBytes: 10,
  openBytes: limits.chunkBytes,
  openPath: 'scan.txt',
  packed: null,
})

const makeOpenFile = (sizeBytes: number) => ({
  upload: 'n7',
  path: 'scan.txt',
  sizeBytes,
  receivedBytes: limits.chunkBytes,
  unpack: 'no' as const,
})

const makeUnpack = () => ({
  id: 'x1',
  name: 'scans.zip',
  state: 'done' as const,
  failure: null,
  params: {},
  folderId: 'folder-2',
  doneFiles: 12,
  totalFiles: 13,
  doneBytes: 4096,
  totalBytes: 5000,
  leftOut: [{ path: '../evil.txt', reason: 'name' as const }],
  leftOutCount: 1,
  renamed: [],
  namesIn: 'ibm866' as const,
  startedAt: new Date().toISOString(),
})

/** An archive of one empty file, whose name begins with these bytes. */
function zipNamed(start: readonly number[]): Uint8Array<ArrayBuffer> {
  const zip = zipSync({ [`${'X'.repeat(start.length)}.txt`]: new Uint8Array() })
  const at = zip.lastIndexOf(0x58) - start.length + 1
  zip.set(start, at)
  return new Uint8Array(zip)
}

/** An archive without any entry. */
const emptyZip = new Uint8Array([0x50, 0x4b, 5, 6, ...Array.from({ length: 18 }, () => 0)])

function prepared(count: number) {
  const numbers = Array.from({ length: count }, (_, index) => `n${index}`)
  return { conflicts: [], uploads: numbers, refused: [], folderId: 'folder-1', batch: 'batch-1' }
}

function isLeavingHeld(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  return leaving.defaultPrevented
}

const hashOf = (text: string) => hash(new TextEncoder().encode(text))
/** A window as wide as a telephone held upright; no layout is drawn here. */
const byOrder = (left: string, right: string) => (left < right ? -1 : 1)
