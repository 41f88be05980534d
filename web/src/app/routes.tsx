import type { RouteObject } from 'react-router'
import { page } from '../ui/lazy-part.tsx'
import { PageBoundary } from '../ui/page-boundary.tsx'
import { Guard, type RouteHandle } from './guard.tsx'
import { workspacePaths } from './own-paths.ts'
import { siteRoutes } from './site-routes.tsx'
import { Starting } from './starting.tsx'
import type { OwnPath } from './workspace-pages.ts'

const isPublic: RouteHandle = { isPublic: true }
const keepAlive: RouteHandle = { keepAlive: true }
const beginsOnCanvas: RouteHandle = { beginsOnCanvas: true }

/** A page of the workspace. Visitors of the public ones need not even know where its files are. */
const own = (path: OwnPath) => () =>
  page(async () => (await import('./workspace-pages.ts')).workspacePages[path]())

const handles: { [Path in OwnPath]?: RouteHandle } = {
  projectHome: keepAlive,
  cloudHome: keepAlive,
  shareFile: isPublic,
  dripe: beginsOnCanvas,
  yamlCode: beginsOnCanvas,
}

/** Every screen by its path; each loads with its own chunk. */
export const routes: RouteObject[] = [
  {
    Component: Guard,
    HydrateFallback: Starting,
    children: [
      ...siteRoutes,
      {
        ErrorBoundary: PageBoundary,
        handle: isPublic,
        children: [
          { path: 'login', lazy: () => page(async () => (await import('../pages/login.tsx')).Login) },
          {
            path: 'register',
            lazy: () => page(async () => (await import('../pages/register.tsx')).Register),
          },
          {
            path: 'firstPassword',
            lazy: () => page(async () => (await import('../pages/first-password.tsx')).FirstPassword),
          },
          { path: 'forget', lazy: () => page(async () => (await import('../pages/forget.tsx')).Forget) },
          ...developerRoutes(),
        ],
      },
      {
        lazy: () => page(async () => (await import('./workspace-layout.tsx')).WorkspaceLayout),
        ErrorBoundary: PageBoundary,
        children: [
          {
            // Inside the layout, so that a broken page leaves the bar in place.
            ErrorBoundary: PageBoundary,
            children: [...workspacePaths.map((path) => ({ path, lazy: own(path), handle: handles[path] }))],
          },
        ],
      },
      {
        path: '*',
        handle: isPublic,
        lazy: () => page(async () => (await import('../pages/not-found.tsx')).NotFound),
      },
    ],
  },
]

/** `npm run dev` alone: builds leave them out. */
function developerRoutes(): RouteObject[] {
  if (!import.meta.env.DEV) return []
  return [
    { path: 'dev/ui', lazy: () => page(async () => (await import('../pages/dev-ui/dev-ui.tsx')).DevUi) },
    {
      path: 'dev/labelling',
      lazy: () => page(async () => (await import('../pages/dev-labelling/dev-labelling.tsx')).DevLabelling),
    },
    {
      path: 'dev/flow',
      lazy: () => page(async () => (await import('../pages/dev-flow/dev-flow.tsx')).DevFlow),
    },
  ]
}
