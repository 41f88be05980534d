import type { RouteObject } from 'react-router'
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
          { path: 'login', lazy: async () => ({ Component: (await import('../pages/login.tsx')).Login }) },
          {
            path: 'register',
            lazy: async () => ({ Component: (await import('../pages/register.tsx')).Register }),
          },
          { path: 'forget', lazy: async () => ({ Component: (await import('../pages/forget.tsx')).Forget }) },
        ],
      },
      {
        lazy: async () => ({ Component: (await import('./workspace-layout.tsx')).WorkspaceLayout }),
        ErrorBoundary: PageBoundary,
        children: [
          {
            // Inside the layout, so that a broken page leaves the bar in place.
            ErrorBoundary: PageBoundary,
            children: [
              {
                path: 'mangeHome',
                lazy: async () => ({ Component: (await import('../pages/manage-home.tsx')).ManageHome }),
              },
              {
                path: 'projectHome',
                handle: keepAlive,
                lazy: async () => ({ Component: (await import('../pages/project-home.tsx')).ProjectHome }),
              },
              {
                path: 'projectDetail',
                lazy: async () => ({
                  Component: (await import('../pages/project-detail.tsx')).ProjectDetail,
                }),
              },
              {
                path: 'projectRubbish',
                lazy: async () => ({
                  Component: (await import('../pages/project-rubbish.tsx')).ProjectRubbish,
                }),
              },
              {
                path: 'projectFile',
                lazy: async () => ({ Component: (await import('../pages/project-file.tsx')).ProjectFile }),
              },
              {
                path: 'cloudHome',
                handle: keepAlive,
                lazy: async () => ({ Component: (await import('../pages/cloud-home.tsx')).CloudHome }),
              },
              {
                path: 'cloudFile',
                lazy: async () => ({ Component: (await import('../pages/cloud-file.tsx')).CloudFile }),
              },
              {
                path: 'shareFile',
                handle: isPublic,
                lazy: async () => ({ Component: (await import('../pages/share-file.tsx')).ShareFile }),
              },
              {
                path: 'cloudProject',
                lazy: async () => ({ Component: (await import('../pages/cloud-project.tsx')).CloudProject }),
              },
              { path: 'run', lazy: async () => ({ Component: (await import('../pages/run.tsx')).RunPage }) },
              { path: 'try', lazy: async () => ({ Component: (await import('../pages/try.tsx')).TryPage }) },
              {
                path: 'compare',
                lazy: async () => ({ Component: (await import('../pages/compare.tsx')).ComparePage }),
              },
              {
                path: 'report',
                lazy: async () => ({ Component: (await import('../pages/report.tsx')).ReportPage }),
              },
              {
                path: 'dripe',
                lazy: async () => ({ Component: (await import('../pages/dripe.tsx')).Dripe }),
              },
              {
                path: 'yamlCode',
                lazy: async () => ({ Component: (await import('../pages/dripe.tsx')).Dripe }),
              },
              {
                path: 'admin',
                lazy: async () => ({ Component: (await import('../pages/admin.tsx')).Admin }),
              },
              {
                path: 'userCenter',
                lazy: async () => ({ Component: (await import('../pages/user-center.tsx')).UserCenter }),
              },
            ],
          },
        ],
      },
      {
        path: '*',
        handle: isPublic,
        lazy: async () => ({ Component: (await import('../pages/not-found.tsx')).NotFound }),
      },
    ],
  },
]
