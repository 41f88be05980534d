import type { Language } from '@neuroloom/contract/language'
import i18next from 'i18next'
import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { createMemoryRouter, type RouteObject } from 'react-router'
import { headTags, renderedHead, titleOf } from '../features/site/head.ts'
import { sitePaths } from '../features/site/pages.ts'
import { tutorialNames, tutorialTexts } from '../features/site/tutorials.ts'
import { startI18n } from '../lib/i18n.ts'
import { inLanguage, languages, languageTags } from '../lib/language.ts'
import { App } from './app.tsx'
import { Guard } from './guard.tsx'
import { siteRoutes } from './site-routes.tsx'

export type Rendered = {
  /** `/zh/about` */
  address: string
  path: string
  language: Language
  /** For `<html lang>`. */
  tag: string
  title: string
  /** Tags of the head, as HTML. */
  head: string
  html: string
  /** The texts that the page was drawn with, by namespace. */
  texts: Record<string, unknown>
}

/** Every public page in every language as HTML. `origin` stands wherever an absolute address is needed. */
export async function renderSite(origin: string): Promise<Rendered[]> {
  await startI18n({ language: 'en' })
  await i18next.loadNamespaces(namespaces)
  const routes: RouteObject[] = [
    { Component: Guard, children: await Promise.all(siteRoutes.map(async (route) => loaded(route))) },
  ]
  const pages: Rendered[] = []
  for (const language of languages) {
    await i18next.changeLanguage(language)
    for (const path of sitePaths) pages.push(renderPage({ routes, path, language, origin }))
  }
  return pages
}

/** All that public pages are drawn with; loaded beforehand, because rendering does not wait. */
const namespaces = [
  'site',
  'description',
  'tool',
  'scenes',
  'step',
  'about',
  'tutorial',
  ...tutorialNames.map(tutorialTexts),
  'consult',
  'concat',
  'accounts',
  'levels',
  'demo',
  'tasks',
  'networks',
  'toolbox',
  'recipes',
  'label-exchange',
  'flow',
  'flow-run',
]

/** Without what only a browser does: chunks on demand and the stored language. */
async function loaded({ lazy, loader: _, ...route }: RouteObject): Promise<RouteObject> {
  const own = typeof lazy === 'function' ? await lazy() : {}
  const children = await Promise.all((route.children ?? []).map(loaded))
  // An index route has no children, any other keeps its own: the union that TypeScript no longer sees.
  return { ...route, ...own, ...(children.length > 0 ? { children } : {}) } as RouteObject
}

type Place = { routes: RouteObject[]; path: string; language: Language; origin: string }

function renderPage({ routes, path, language, origin }: Place): Rendered {
  const used = new Set<string>()
  i18next.reportNamespaces = {
    addUsedNamespaces: (names: string[]) => {
      for (const name of names) used.add(name)
    },
    getUsedNamespaces: () => [...used],
  }
  const address = inLanguage(path, language)
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  const html = renderToString(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  )
  router.dispose()
  const said = renderedHead.current
  renderedHead.current = null
  if (said === null) throw new Error(`${address} says nothing of itself`)
  const tags = headTags({ ...said, path, language, origin })
  return {
    address,
    path,
    language,
    tag: languageTags[language],
    title: titleOf(said.title),
    head: tags.map(({ tag, attributes }) => `<${tag}${asAttributes(attributes)}>`).join('\n    '),
    html,
    texts: Object.fromEntries(
      [...used].sort().map((name) => [name, i18next.getResourceBundle(language, name)]),
    ),
  }
}

const asAttributes = (attributes: Record<string, string>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
    .join('')
