import type { RouteObject } from 'react-router'
import { page } from '../ui/lazy-part.tsx'
import { PageBoundary } from '../ui/page-boundary.tsx'
import { Guard, type RouteHandle } from './guard.tsx'
import { siteRoutes } from './site-routes.tsx'
import { Starting } from './starting.tsx'

const isPublic: RouteHandle = { isPublic: true }
const keepAlive: RouteHandle = { keepAlive: true }

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
            children: [
              {
                path: 'mangeHome',
                lazy: () => page(async () => (await import('../pages/manage-home.tsx')).ManageHome),
              },
              {
                path: 'projectHome',
                handle: keepAlive,
                lazy: () => page(async () => (await import('../pages/project-home.tsx')).ProjectHome),
              },
              {
                path: 'projectDetail',
                lazy: () => page(async () => (await import('../pages/project-detail.tsx')).ProjectDetail),
              },
              {
                path: 'projectRubbish',
                lazy: () => page(async () => (await import('../pages/project-rubbish.tsx')).ProjectRubbish),
              },
              {
                path: 'projectFile',
                lazy: () => page(async () => (await import('../pages/project-file.tsx')).ProjectFile),
              },
              {
                path: 'cloudHome',
                handle: keepAlive,
                lazy: () => page(async () => (await import('../pages/cloud-home.tsx')).CloudHome),
              },
              {
                path: 'cloudFile',
                lazy: () => page(async () => (await import('../pages/cloud-file.tsx')).CloudFile),
              },
              {
                path: 'shareFile',
                handle: isPublic,
                lazy: () => page(async () => (await import('../pages/share-file.tsx')).ShareFile),
              },
              {
                path: 'cloudProject',
                lazy: () => page(async () => (await import('../pages/cloud-project.tsx')).CloudProject),
              },
              { path: 'run', lazy: () => page(async () => (await import('../pages/run.tsx')).RunPage) },
              { path: 'try', lazy: () => page(async () => (await import('../pages/try.tsx')).TryPage) },
              {
                path: 'compare',
                lazy: () => page(async () => (await import('../pages/compare.tsx')).ComparePage),
              },
              {
                path: 'report',
                lazy: () => page(async () => (await import('../pages/report.tsx')).ReportPage),
              },
              {
                path: 'dripe',
                lazy: () => page(async () => (await import('../pages/dripe.tsx')).Dripe),
              },
              {
                path: 'yamlCode',
                lazy: () => page(async () => (await import('../pages/dripe.tsx')).Dripe),
              },
              {
                path: 'admin',
                lazy: () => page(async () => (await import('../pages/admin.tsx')).Admin),
              },
              {
                path: 'userCenter',
                lazy: () => page(async () => (await import('../pages/user-center.tsx')).UserCenter),
              },
            ],
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
  ]
}
