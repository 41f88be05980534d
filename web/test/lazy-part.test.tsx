import { readFileSync } from 'node:fs'
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Suspense, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { workspacePaths } from '../src/app/own-paths.ts'
import { workspacePages } from '../src/app/workspace-pages.ts'
import { bring, LostPart, lastingly } from '../src/lib/bring.ts'
import { lazyPart, page } from '../src/ui/lazy-part.tsx'
import { renderPart } from './render.tsx'

const user = userEvent.setup({ delay: null })
// React tells of everything that a boundary caught.
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const Content = () => <p>The part itself</p>

function Around({ Part }: { Part: ReturnType<typeof lazyPart> }) {
  const [text, setText] = useState('')
  return (
    <>
      <input aria-label="Work" value={text} onChange={(event) => setText(event.target.value)} />
      <Suspense fallback={null}>
        <Part />
      </Suspense>
    </>
  )
}

it('tells of a part that did not come in its own place, keeps what stands around, and fetches it at the second try', async () => {
  let isCut = true
  const Part = lazyPart(async () => {
    if (isCut) throw new LostPart('/assets/part.js', false)
    return Content
  })
  renderPart(<Around Part={Part} />, '/')
  await user.type(screen.getByLabelText('Work'), 'typed')
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be fetched')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('alert')).toBeVisible()
  isCut = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part itself')).toBeVisible()
  expect(screen.getByLabelText('Work')).toHaveValue('typed')
})

it('asks once, and once more when it is shown again', async () => {
  let asked = 0
  const Part = lazyPart(async () => {
    asked += 1
    throw new LostPart('/assets/part.js', false)
  })
  const first = renderPart(<Around Part={Part} />, '/')
  await screen.findByRole('alert')
  await user.type(screen.getByLabelText('Work'), 'continues')
  expect(asked).toBe(1)
  first.unmount()
  renderPart(<Around Part={Part} />, '/')
  await screen.findByRole('alert')
  expect(asked).toBe(2)
})

it('tries again by itself when the line is back', async () => {
  let isCut = true
  const Part = lazyPart(async () => {
    if (isCut) throw new LostPart('/assets/part.js', false)
    return Content
  })
  renderPart(<Around Part={Part} />, '/')
  await screen.findByRole('alert')
  isCut = false
  // What is seen listens a moment later.
  await act(async () => {})
  window.dispatchEvent(new Event('online'))
  expect(await screen.findByText('The part itself')).toBeVisible()
})

it('says that a newer version is there when the server has the part no longer', async () => {
  const Part = lazyPart(() => Promise.reject(new LostPart('/assets/part.js', true)))
  renderPart(<Around Part={Part} />, '/')
  expect(await screen.findByRole('alert')).toHaveTextContent('A newer version')
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeVisible()
})

it('keeps the page when a part breaks while it is drawn', async () => {
  const Part = lazyPart(async () => () => {
    throw new Error('a defect')
  })
  renderPart(<Around Part={Part} />, '/')
  expect(await screen.findByRole('alert')).toHaveTextContent('does not work right now')
  expect(screen.getByLabelText('Work')).toBeVisible()
})

it('never gives the router a page that failed for good', async () => {
  let isCut = true
  const { Component } = await page(async () => {
    if (isCut) throw new LostPart('/assets/page.js', false)
    return Content
  })
  renderPart(
    <Suspense fallback={null}>
      <Component />
    </Suspense>,
    '/',
  )
  await screen.findByRole('alert')
  isCut = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('The part itself')).toBeVisible()
})

/** Links that are put into the page come or fail by turns; answers what is asked for, and how. */
function lineWith({ links, fetches }: { links: ('load' | 'error')[]; fetches: (() => unknown)[] }): string[] {
  const asked: string[] = []
  vi.spyOn(document.head, 'append').mockImplementation((link) => {
    if (!(link instanceof HTMLLinkElement)) throw new Error('no link')
    asked.push(`${link.rel} ${link.getAttribute('href')}`)
    link.remove = () => void asked.push('taken away')
    link.dispatchEvent(new Event(links.shift() ?? 'error'))
  })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(`fetch ${url}`)
    return fetches.shift()?.()
  })
  return asked
}

it('asks for every file of a part before it is imported, and anew after a failure', async () => {
  const asked = lineWith({
    links: ['error'],
    fetches: [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response('', { status: 404 }),
      () => new Response('export {}'),
    ],
  })
  const load = vi.fn(async () => 'part')
  const attempt = () => bring(load, ['assets/part-1.js'])
  await expect(attempt()).rejects.toMatchObject({ isGone: false })
  await expect(attempt()).rejects.toMatchObject({ isGone: true })
  expect(load).not.toHaveBeenCalled()
  expect(await attempt()).toBe('part')
  expect(await attempt()).toBe('part')
  const again = 'fetch /assets/part-1.js'
  expect(asked).toEqual(['preload /assets/part-1.js', 'taken away', again, again, again])
})

it('asks once for what comes', async () => {
  const asked = lineWith({ links: ['load', 'load'], fetches: [] })
  const files = ['assets/part-3.js', 'assets/part-3.css']
  expect(await bring(async () => 'part', files)).toBe('part')
  expect(await bring(async () => 'part', files)).toBe('part')
  expect(asked).toEqual(['preload /assets/part-3.js', 'stylesheet /assets/part-3.css'])
})

it('puts a style in its place once it came', async () => {
  const asked = lineWith({
    links: ['error', 'load'],
    fetches: [() => Promise.reject(new TypeError('Failed to fetch')), () => new Response('')],
  })
  const attempt = () => bring(async () => 'part', ['assets/part-2.css'])
  await expect(attempt()).rejects.toMatchObject({ isGone: false })
  expect(await attempt()).toBe('part')
  const [link, again] = ['stylesheet /assets/part-2.css', 'fetch /assets/part-2.css']
  expect(asked).toEqual([link, 'taken away', again, again, link])
})

it('loads the window anew for a page that a newer version has under another name, once', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockReturnValue()
  const { Component } = await page(async () => {
    throw new LostPart('/assets/page.js', true)
  })
  const shown = () =>
    renderPart(
      <Suspense fallback={null}>
        <Component />
      </Suspense>,
      '/',
    )
  const first = shown()
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  first.unmount()
  shown()
  expect(await screen.findByRole('button', { name: 'Reload the page' })).toBeVisible()
  expect(reload).toHaveBeenCalledOnce()
})

it('waits for the line where no place tells that a part did not come, but not for what is gone or broken', async () => {
  const failures: unknown[] = [new LostPart('/assets/part.js', false), new TypeError('Failed to fetch')]
  const load = vi.fn(async () => {
    if (failures.length > 0) throw failures.shift()
    return 'part'
  })
  const coming = lastingly(load)
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1))
  window.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2))
  window.dispatchEvent(new Event('online'))
  expect(await coming).toBe('part')
  const gone = new LostPart('/assets/part.js', true)
  await expect(lastingly(() => Promise.reject(gone))).rejects.toBe(gone)
  await expect(lastingly(() => Promise.reject(new Error('a defect')))).rejects.toThrow('a defect')
})

it.each(['routes', 'site-routes'])('every page of %s has its second try', (name) => {
  const text = readFileSync(`${import.meta.dirname}/../src/app/${name}.tsx`, 'utf8')
  const pages = text.match(/\blazy: .*/g) ?? []
  expect(pages.length).toBeGreaterThanOrEqual(10)
  // `own` is made of `page` for all pages behind sign-in, which stand in a list of their own.
  expect(pages.filter((line) => !/lazy: (\(\) =>\s*page\(|own\()/.test(line))).toEqual([])
  if (!text.includes('const own =')) return
  expect(text).toMatch(/const own = .*=>\s*page\(/)
  expect(text).toContain('workspacePaths.map((path) => ({ path, lazy: own(path),')
  expect(workspacePaths.length).toBeGreaterThan(20)
  expect([...workspacePaths].sort()).toEqual(Object.keys(workspacePages).sort())
})
