import type { Language } from '@neuroloom/contract/language'
import { type LoaderFunctionArgs, type RouteObject, replace } from 'react-router'
import { setLanguage, showLanguage } from '../lib/i18n.ts'
import { inLanguage, languages, storedLanguage } from '../lib/language.ts'
import { page } from '../ui/lazy-part.tsx'
import { PageBoundary } from '../ui/page-boundary.tsx'
import type { RouteHandle } from './guard.tsx'

/** The public pages, once for each language: English without a prefix, the others below `/zh` and `/ru`. */
export const siteRoutes: RouteObject[] = languages.map((language) => ({
  id: `site-${language}`,
  handle: { isPublic: true } satisfies RouteHandle,
  ErrorBoundary: PageBoundary,
  loader: (given) => enter(language, given),
  lazy: () => page(async () => (await import('../pages/site/layout.tsx')).SiteLayout),
  children: pages(),
  ...(language === 'en' ? {} : { path: language }),
}))

/** The address decides the language; one without a language gives way to the one chosen before. */
async function enter(language: Language, { request }: LoaderFunctionArgs): Promise<Response | null> {
  const chosen = storedLanguage()
  if (language === 'en' && chosen !== 'en') {
    const { pathname, search } = new URL(request.url)
    return replace(inLanguage(pathname, chosen) + search)
  }
  // Only an address that names another language than the one shown anyway is a choice.
  await (language === chosen ? showLanguage(language) : setLanguage(language))
  return null
}

function pages(): RouteObject[] {
  return [
    { index: true, lazy: () => page(async () => (await import('../pages/site/home.tsx')).Home) },
    {
      path: 'description',
      lazy: () => page(async () => (await import('../pages/site/description.tsx')).Description),
    },
    { path: 'tool', lazy: () => page(async () => (await import('../pages/site/tool.tsx')).Tool) },
    { path: 'scenes', lazy: () => page(async () => (await import('../pages/site/scenes.tsx')).Scenes) },
    {
      path: 'consult',
      lazy: () => page(async () => (await import('../pages/site/consult.tsx')).Consult),
    },
    { path: 'step', lazy: () => page(async () => (await import('../pages/site/step.tsx')).Step) },
    {
      path: 'tutorial',
      lazy: () => page(async () => (await import('../pages/site/tutorial.tsx')).Tutorial),
    },
    {
      path: 'tutorial/:name',
      lazy: () => page(async () => (await import('../pages/site/tutorial-page.tsx')).TutorialPage),
    },
    { path: 'about', lazy: () => page(async () => (await import('../pages/site/about.tsx')).About) },
    { path: 'concat', lazy: () => page(async () => (await import('../pages/site/concat.tsx')).Concat) },
  ]
}
