import type { Answer } from '@neuroloom/contract/calls'
import type { ModuleName } from '@neuroloom/contract/office/modules'
import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { bytesBehind } from '../../src/lib/bytes.ts'
import { useModulesOff } from '../../src/lib/modules.ts'
import { makeQueryClient, refreshPaths, useCall } from '../../src/lib/query.ts'
import { makeSetting } from '../make.ts'
import { Refusal, serve } from '../serve.ts'

type Size = Answer<'user/size'>

it('a first answer that was under way when something changed is not taken for the new state', async () => {
  const late: ((size: Size) => void)[] = []
  const sizeOf = (storageSize: number): Size => ({ storageSize, storageLimit: null })
  const received = serve({
    'user/size': () =>
      received.length === 1 ? new Promise<Size>((resolve) => late.push(resolve)) : sizeOf(2),
  })
  const queries = makeQueryClient()
  render(
    <QueryClientProvider client={queries}>
      <Used />
    </QueryClientProvider>,
  )
  await expect.poll(() => late.length).toBe(1)
  refreshPaths(queries, ['user/size'])
  await screen.findByText('used 2')
  late[0]?.(sizeOf(1))
  await new Promise((resolve) => setTimeout(resolve))
  expect(screen.getByText('used 2')).toBeDefined()
})

it('asks a server again that had no time, and takes its no for a no', async () => {
  const refusals = [new Refusal('busy'), new Refusal('internal')]
  const received = serve({
    'user/size': () => {
      throw refusals[received.length - 1] ?? new Refusal('busy')
    },
  })
  render(
    <QueryClientProvider client={makeQueryClient()}>
      <Used />
    </QueryClientProvider>,
  )
  await screen.findByText('internal')
  expect(received).toHaveLength(2)
})

it('learns from a refusal that a part was switched off since the page was opened', async () => {
  const off: ModuleName[] = []
  serve({
    'setting/public': () => makeSetting({ off: [...off] }),
    'user/size': () => {
      throw new Refusal('module_off')
    },
  })
  const queries = makeQueryClient()
  const shown = (part: ReactNode) => <QueryClientProvider client={queries}>{part}</QueryClientProvider>
  const { rerender } = render(shown(<Off />))
  await screen.findByText('off: none')
  off.push('social')
  rerender(
    shown(
      <>
        <Off />
        <Used />
      </>,
    ),
  )
  await screen.findByText('off: social')
})

it('asks a server in the same house although the browser takes itself for offline', async () => {
  serve({ 'user/size': () => ({ storageSize: 3, storageLimit: null }) })
  onlineManager.setOnline(false)
  try {
    render(
      <QueryClientProvider client={makeQueryClient()}>
        <Used />
      </QueryClientProvider>,
    )
    await screen.findByText('used 3')
  } finally {
    onlineManager.setOnline(true)
  }
})

it('tells bytes of which the line broke, asked for again, from those that the server refuses', async () => {
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    async () => new Response('busy', { status: 503 }),
    async () => new Response('ended', { status: 403 }),
    async () => new Response(new Uint8Array([1, 2])),
  ]
  vi.stubGlobal('fetch', () => answers.shift()?.())
  const { signal } = new AbortController()
  for (const _ of ['no line', 'no time'])
    await expect(bytesBehind('/shown', signal)).rejects.toMatchObject({ name: 'network' })
  expect(await bytesBehind('/shown', signal)).toBeNull()
  expect((await bytesBehind('/shown', signal))?.byteLength).toBe(2)
  vi.unstubAllGlobals()
})

function Used() {
  const { data, error } = useCall('user/size', {})
  return <p>{data ? `used ${data.storageSize}` : (error?.name ?? 'waiting')}</p>
}

function Off() {
  const off = useModulesOff()
  return <p>off: {off.join(', ') || 'none'}</p>
}
