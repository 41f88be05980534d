import type { Resource } from 'i18next'
import { StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { resume, watchClosing } from '../lib/closing.ts'
import { startI18n } from '../lib/i18n.ts'
import { namedLanguage, storedLanguage } from '../lib/language.ts'
import { cleanStale } from '../lib/session.ts'
import 'virtual:tokens.css'
import '../ui/fonts.css'
import { showLook } from '../ui/hooks/use-look.ts'
import '../ui/theme.css'
import { App } from './app.tsx'
import { routes } from './routes.tsx'

declare global {
  interface Window {
    /** Of build/first-script.ts. */
    early: EventListener & { button?: HTMLElement | null }
  }
}

type Router = ReturnType<typeof createBrowserRouter>

showLook()
cleanStale()
await startI18n({ language: namedLanguage(location.pathname) ?? storedLanguage(), texts: textsOfPage() })
// Rare: other visits need not load it.
if (location.search.includes('key=')) await (await import('../lib/key-link.ts')).enterByKey()
resume()
watchClosing()
await show()
removeEventListener('click', window.early, true)

async function show(): Promise<void> {
  const root = rootElement()
  const router = createBrowserRouter(routes, { basename: import.meta.env.BASE_URL })
  const app = (
    <StrictMode>
      <App router={router} />
    </StrictMode>
  )
  if (!root.hasChildNodes()) return createRoot(root).render(app)
  // React takes over what was rendered ahead only when it can draw the same at once.
  await ready(router)
  hydrateRoot(root, app)
  window.early.button?.click()
}

/** A page rendered ahead brings its texts along. */
function textsOfPage(): Resource[string] {
  // Written by build/prerender.ts from the locale files.
  return JSON.parse(document.querySelector('script#texts')?.textContent ?? '{}') as Resource[string]
}

function rootElement(): HTMLElement {
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no element "root"')
  return root
}

/** The page of the address has been loaded. */
function ready(router: Router): Promise<void> {
  return new Promise((resolve) => {
    if (router.state.initialized) return resolve()
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}
