import { act } from '@testing-library/react'
import { StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { createMemoryRouter } from 'react-router'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { App } from '../../src/app/app.tsx'
import { type Rendered, renderSite } from '../../src/app/prerender.tsx'
import { routes } from '../../src/app/routes.tsx'
import { sitePaths } from '../../src/features/site/pages.ts'
import { setLanguage } from '../../src/lib/i18n.ts'
import { inLanguage, languages } from '../../src/lib/language.ts'
import { makeSetting } from '../make.ts'
import { serve } from '../serve.ts'

const origin = 'https://neuroloom.example'
let pages: Rendered[] = []

beforeAll(async () => {
  vi.stubEnv('SSR', true)
  pages = await renderSite(origin)
  vi.stubEnv('SSR', false)
})
afterEach(() => {
  document.body.replaceChildren()
})

describe('rendered ahead', () => {
  it('is every public page in every language, each with a title and a description of its own', () => {
    expect(pages.map(({ address }) => address).sort()).toEqual(
      languages.flatMap((language) => sitePaths.map((path) => inLanguage(path, language))).sort(),
    )
    expect(new Set(pages.map(({ title }) => title)).size).toBe(pages.length)
    expect(
      new Set(pages.map(({ head }) => /name="description" content="([^"]+)"/.exec(head)?.[1])).size,
    ).toBe(pages.length)
  })

  it('names its own address and the other languages in full', () => {
    const about = pages.find(({ address }) => address === '/ru/about')
    expect(about?.head).toContain(`<link rel="canonical" href="${origin}/ru/about">`)
    expect(about?.head).toContain(`<link rel="alternate" hreflang="zh" href="${origin}/zh/about">`)
    expect(about?.head).toContain(`<link rel="alternate" hreflang="x-default" href="${origin}/about">`)
    expect(about?.tag).toBe('ru-RU')
  })

  it('has its whole text, and no script in it', () => {
    for (const { html, address } of pages) {
      expect(html.match(/<h1/g), address).toHaveLength(1)
      expect(html, address).not.toMatch(/<script|<template|\{\{|\son\w+=/)
    }
  })
})

describe.each(['/', '/tool', '/tutorial', '/tutorial/registration', '/consult'])('%s', (path) => {
  it.each(languages)('is taken over by React in %s without drawing anything anew', async (language) => {
    serve({ 'setting/public': () => makeSetting() })
    await setLanguage(language)
    const said = vi.spyOn(console, 'error')
    const address = inLanguage(path, language)
    const root = document.createElement('div')
    root.innerHTML = pages.find((page) => page.address === address)?.html ?? ''
    document.body.append(root)
    const heading = root.querySelector('h1')
    const router = createMemoryRouter(routes, { initialEntries: [address] })
    await vi.waitFor(() => expect(router.state.initialized).toBe(true))
    const problems: unknown[] = []
    const app = (
      <StrictMode>
        <App router={router} />
      </StrictMode>
    )
    const shown = await act(async () =>
      hydrateRoot(root, app, { onRecoverableError: (error) => problems.push(error) }),
    )
    expect(problems).toEqual([])
    expect(
      said.mock.calls.map(([first]) => String(first)).filter((text) => /hydrat|did not match/i.test(text)),
    ).toEqual([])
    expect(heading?.isConnected).toBe(true)
    await act(async () => shown.unmount())
    said.mockRestore()
  })
})
