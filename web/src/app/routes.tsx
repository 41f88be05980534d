import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { PageBoundary } from '../ui/page-boundary.tsx'
import { Guard, type RouteHandle } from './guard.tsx'
import { Starting } from './starting.tsx'

const isPublic: RouteHandle = { isPublic: true }

/** Every screen by its path; each loads with its own chunk. */
export const routes: RouteObject[] = [
  {
    Component: Guard,
    HydrateFallback: Starting,
    children: [
      {
        ErrorBoundary: PageBoundary,
        handle: isPublic,
        children: [
          { index: true, lazy: page('home', 'Home') },
          { path: 'login', lazy: page('login', 'Login') },
        ],
      },
      {
        lazy: () =>
          import('./workspace-layout.tsx').then(({ WorkspaceLayout }) => ({ Component: WorkspaceLayout })),
        ErrorBoundary: PageBoundary,
        children: [
          {
            // Inside the layout, so that a broken page leaves the bar in place.
            ErrorBoundary: PageBoundary,
            children: [
              { path: 'mangeHome', lazy: page('manage-home', 'ManageHome') },
              { path: 'projectHome', lazy: page('project-home', 'ProjectHome') },
              { path: 'projectDetail', lazy: page('project-detail', 'ProjectDetail') },
              { path: 'cloudHome', lazy: page('cloud-home', 'CloudHome') },
              { path: 'cloudFile', lazy: page('cloud-file', 'CloudFile') },
              { path: 'run', lazy: page('run', 'RunPage') },
              { path: 'userCenter', lazy: page('user-center', 'UserCenter') },
            ],
          },
        ],
      },
      { path: '*', handle: isPublic, lazy: page('not-found', 'NotFound') },
    ],
  },
]

function page(file: string, name: string): () => Promise<{ Component: ComponentType }> {
  return async () => {
    const load = pages[`../pages/${file}.tsx`]
    const Component = (await load?.())?.[name]
    if (!Component) throw new Error(`pages/${file}.tsx exports no ${name}`)
    return { Component }
  }
}

const pages = import.meta.glob<Record<string, ComponentType>>('../pages/*.tsx')
