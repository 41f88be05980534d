import type { View } from '@neuroloom/contract/viewing'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { FileView } from '../../src/features/files/viewer/file-view.tsx'
import { plainView, textOfView } from '../../src/features/files/viewer/view-address.ts'
import { fetchBytes } from '../../src/lib/bytes.ts'
import { signIn } from '../make.ts'
import { renderPart } from '../render.tsx'
import { serve } from '../serve.ts'

beforeEach(() => signIn())

/** On its way: nothing has to be drawn, which this browser cannot. */
const makeView = (view: Partial<View>): View => ({
  ...{ id: 'slice-1', name: 'IM0001.dcm', type: 'dcm', sizeBytes: 2048, kind: 'volume', state: 'preparing' },
  ...{ reason: null, url: null, facts: null, notes: [], series: null },
  ...{ tags: [], patient: null, tagsHidden: false },
  ...view,
})
const series = { files: 40, description: 'T1', isShown: true, opened: null }

const served = () =>
  serve({ 'files/view': ({ series: wish = false }) => makeView({ series: wish === false ? null : series }) })

describe('a slice of a series', () => {
  it('asks for its whole series, says that it is being put together, and shows the slice alone on demand', async () => {
    const received = served()
    renderPart(<FileView entry={{ id: 'slice-1' }} />)
    expect(await screen.findByText('The series of 40 files is being put together …')).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Show this slice alone' }))
    expect(await screen.findByText('The file is being made ready …')).toBeVisible()
    const wishes = received.filter(({ path }) => path === 'files/view').map(({ body }) => body.series)
    expect(new Set(wishes)).toEqual(new Set(['fits', false]))
    expect(wishes[0]).toBe('fits')
  })

  it.each([false, true])(
    'is shown as an address says that was passed on: the series %s',
    async (isSeries) => {
      const received = served()
      const { text } = textOfView({ ...plainView, isSeries })
      renderPart(<FileView entry={{ id: 'slice-1' }} />, `/?file=slice-1&view=${text}`)
      await waitFor(() => expect(received.find(({ path }) => path === 'files/view')).toBeDefined())
      expect(received.find(({ path }) => path === 'files/view')?.body.series).toBe(isSeries)
    },
  )
})

describe('what is fetched for it', () => {
  const { signal } = new AbortController()
  const answer = (headers: Record<string, string>) =>
    vi.stubGlobal('fetch', async () => new Response(new Uint8Array(2000).fill(7), { headers }))

  it('is counted while it comes, where the server says how much there is', async () => {
    answer({ 'content-length': '2000' })
    const shares: number[] = []
    const bytes = await fetchBytes({ url: '/bytes', signal, onShare: (share) => shares.push(share) })
    expect(new Uint8Array(bytes ?? new ArrayBuffer(0))).toEqual(new Uint8Array(2000).fill(7))
    expect(shares.at(-1)).toBe(1)
  })

  it('comes all the same where it does not', async () => {
    answer({})
    const shares: number[] = []
    const bytes = await fetchBytes({ url: '/bytes', signal, onShare: (share) => shares.push(share) })
    expect(bytes?.byteLength).toBe(2000)
    expect(shares).toEqual([])
  })
})
