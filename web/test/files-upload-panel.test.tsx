import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UploadButton } from '../src/features/files/upload-button.tsx'
import { UploadPanel } from '../src/features/files/upload-panel.tsx'
import { uploads } from '../src/features/files/uploads.ts'
import { hash, startTusServer, type TusTestServer } from './files-tus-server.ts'
import { signIn } from './make.ts'
import { renderPart } from './render.tsx'
import { Refusal, serve } from './serve.ts'

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
    const received = serve({ 'files/prepare': ({ files }) => prepared(files.length) })
    show(onFinished)
    await choose(makeFiles(['scans/a.png', 'scans/sub/b.png']), 'folder')
    const panel = await screen.findByRole('region', { name: 'Uploads' })
    await within(panel).findByText('All files arrived complete')
    expect(within(panel).getByText('2 of 2 files')).toBeVisible()
    expect((await server.arrived()).sort(byOrder)).toEqual(
      [hashOf('scans/a.png'), hashOf('scans/sub/b.png')].sort(byOrder),
    )
    expect(onFinished).toHaveBeenCalledExactlyOnceWith('folder-1')
    expect(received[0]?.body).toMatchObject({ parentId: 'parent-1', sameName: 'ask' })
    expect(server.requests[0]?.token).toBe('a'.repeat(20))

    await userEvent.click(within(panel).getByRole('button', { name: 'Close the upload list' }))
    expect(screen.queryByRole('region', { name: 'Uploads' })).toBeNull()
  })

  it('asks once when names are taken and sends what the answer says', async () => {
    const received = serve({
      'files/prepare': ({ files, sameName }) =>
        sameName === 'ask'
          ? { conflicts: ['a.png'], uploads: [], refused: [], folderId: null }
          : prepared(files.length),
    })
    show()
    await choose(makeFiles(['a.png', 'b.png']), 'files')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('1 file is already there')
    await userEvent.click(within(dialog).getByRole('radio', { name: /Keep both/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Continue' }))
    await screen.findByText('All files arrived complete')
    expect(received.map(({ body }) => body.sameName)).toEqual(['ask', 'rename'])
  })

  it('names what did not arrive with its reason and no toast, and tries again', async () => {
    let isRefusing = true
    server.intervene((_request, response) => {
      if (!isRefusing) return 'pass'
      response.writeHead(413).end('{"code":20205}')
      return 'taken'
    })
    serve({ 'files/prepare': ({ files }) => prepared(files.length) })
    show()
    await choose(makeFiles(['a.png']), 'files')
    const failures = await screen.findByRole('region', { name: '1 file was not uploaded' })
    expect(failures).toHaveTextContent(
      'a.pngThis file is larger than can be stored. Split it or make it smaller.',
    )
    expect(screen.queryByRole('alert')).toBeNull()
    isRefusing = false
    await userEvent.click(within(failures).getByRole('button', { name: 'Try again' }))
    await screen.findByText('All files arrived complete')
  })

  it('tells why nothing was taken at all', async () => {
    serve({
      'files/prepare': () => {
        throw new Refusal('plan_limit', { limit: 3 })
      },
    })
    show()
    await choose(makeFiles(['scans/a.png']), 'folder')
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
      'files/prepare': ({ files }) => prepared(files.length),
      'files/cancel': ({ uploads: numbers }) => ({ cancelled: numbers.length }),
    })
    show()
    await choose(makeFiles(['scans/a.png']), 'folder')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: 'Pause scans' }))
    expect(screen.getAllByText('Paused').length).toBeGreaterThan(0)
    expect(isLeavingHeld()).toBe(true)
    await person.click(screen.getByRole('button', { name: 'Continue scans' }))
    await person.click(await screen.findByRole('button', { name: 'Stop the upload of scans' }))
    await person.click(await screen.findByRole('button', { name: 'Stop the upload' }))
    await screen.findByText('Stopped. What had already arrived is kept.')
    await waitFor(() =>
      expect(received.at(-1)).toMatchObject({ path: 'files/cancel', body: { uploads: ['n0'] } }),
    )
    expect(isLeavingHeld()).toBe(false)
    release()
  })

  it('offers the folder instead of too many single files, and sends nothing', async () => {
    const received = serve({})
    show()
    await choose(makeFiles(Array.from({ length: 201 }, (_, index) => `${index}.png`)), 'files')
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('201 single files are too many at once')
    expect(within(dialog).getByRole('button', { name: 'Choose the folder' })).toBeEnabled()
    expect(received).toEqual([])
    expect(uploads.view().jobs).toEqual([])
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

function prepared(count: number) {
  const numbers = Array.from({ length: count }, (_, index) => `n${index}`)
  return { conflicts: [], uploads: numbers, refused: [], folderId: 'folder-1' }
}

function isLeavingHeld(): boolean {
  const leaving = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(leaving)
  return leaving.defaultPrevented
}

const hashOf = (text: string) => hash(new TextEncoder().encode(text))
const byOrder = (left: string, right: string) => (left < right ? -1 : 1)
