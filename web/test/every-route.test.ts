import { matchPath, type RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import * as addresses from '../../e2e/addresses.ts'
import { ownAddresses } from '../src/app/own-paths.ts'
import { routes } from '../src/app/routes.tsx'

test('every page has an address among those that are looked through and pictured', () => {
  const { sitePages, entrances, workspacePages, officePages, pagesOfNothing, samplePages } = addresses
  const known = [
    ...[...sitePages, ...entrances, ...workspacePages, ...officePages, ...pagesOfNothing],
    ...samplePages.map(({ link, as = link }) => as),
  ].map((address) => address.replace(/\?.*/, ''))
  const missing = pathsOf(routes)
    // The same pages once more, in another language.
    .filter((path) => !/^\/(zh|ru)\b/.test(path))
    .filter((path) => !known.some((address) => matchPath(path, address)))
  // For those who build pages.
  expect(missing).toEqual(['/dev/ui', '/dev/labelling', '/dev/flow'])
})

test('every page of the application is one that the build tells the server of', () => {
  const missing = pathsOf(
    routes.flatMap(({ children = [] }) => children.filter(({ id }) => !id?.startsWith('site-'))),
  )
    .filter((path) => path !== '/*' && !path.startsWith('/dev/'))
    .filter((path) => !ownAddresses.includes(path))
  expect(missing).toEqual([])
})

const pathsOf = (all: readonly RouteObject[], above = ''): string[] =>
  all.flatMap(({ path, children }) => {
    const here = path === undefined ? above : `${above}/${path}`
    return children ? pathsOf(children, here) : [here || '/']
  })
