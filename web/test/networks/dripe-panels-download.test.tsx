import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { DownloadMenu } from '../../src/features/networks/panels/download-menu.tsx'
import { visibleToasts } from '../../src/lib/toast.ts'
import { serve } from '../serve.ts'
import { brokenNetwork, makeEditor, renderPanel } from './dripe-panels-make.tsx'

const user = userEvent.setup()

afterEach(() => {
  vi.restoreAllMocks()
})

/** What was handed to the browser to be saved: name and text. */
function catchFiles(): Promise<{ name: string; text: string }>[] {
  const files: Promise<{ name: string; text: string }>[] = []
  let blob: Blob | null = null
  vi.spyOn(URL, 'createObjectURL').mockImplementation((made) => {
    blob = made instanceof Blob ? made : null
    return 'blob:made'
  })
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    const name = this.download
    if (blob !== null) files.push(blob.text().then((text) => ({ name, text })))
  })
  return files
}

async function choose(name: RegExp): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  await user.click(await screen.findByRole('menuitem', { name }))
}

it('saves the text, the program and the structure picture', async () => {
  const received = serve({ 'networks/picture': () => ({ svg: '<svg/>', width: 10, height: 10 }) })
  const files = catchFiles()
  renderPanel(<DownloadMenu />, await makeEditor())
  await choose(/YAML text/)
  await waitFor(() => expect(files).toHaveLength(1))
  expect(await files[0]).toMatchObject({ name: 'My network.yaml', text: expect.stringContaining('dripe: 1') })
  await choose(/PyTorch program/)
  await waitFor(() => expect(files).toHaveLength(2))
  expect(await files[1]).toMatchObject({ name: 'My network.py', text: expect.stringContaining('class Net') })
  await choose(/SVG/)
  await waitFor(() => expect(files).toHaveLength(3))
  expect(await files[2]).toEqual({ name: 'My network.svg', text: '<svg/>' })
  expect(received.map(({ path, body }) => [path, body])).toEqual([['networks/picture', { id: 'network-1' }]])
})

it('says so when the line is lost on the way', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  vi.spyOn(console, 'error').mockReturnValue()
  renderPanel(<DownloadMenu />, await makeEditor())
  await choose(/SVG/)
  await waitFor(() =>
    expect(visibleToasts().map(({ text }) => text)).toEqual([
      expect.stringContaining('could not be fetched'),
    ]),
  )
})

it('says which level has the picture, and that mistakes come first', async () => {
  renderPanel(<DownloadMenu />, await makeEditor({ mayDownloadPicture: false, text: brokenNetwork }))
  await user.click(await screen.findByRole('button', { name: 'Download' }))
  const picture = await screen.findByRole('menuitem', { name: /Image \(PNG\)/ })
  expect(picture).toHaveTextContent('from silver membership on')
  expect(picture).toHaveAttribute('aria-disabled', 'true')
  expect(screen.getByRole('menuitem', { name: /PyTorch program/ })).toHaveTextContent(
    'repair the problems first',
  )
  expect(screen.getByRole('menuitem', { name: /YAML text/ })).not.toHaveAttribute('aria-disabled', 'true')
})
