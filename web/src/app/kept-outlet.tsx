import { Activity, type ReactNode, useState } from 'react'
import {
  type Location,
  UNSAFE_LocationContext,
  useLocation,
  useNavigationType,
  useOutlet,
} from 'react-router'
import { useRouteHandle } from './guard.tsx'

type Kept = { path: string; location: Location; page: ReactNode }

/** The page of the address. Pages flagged `keepAlive` stay mounted behind it: what was typed and chosen there is found again. */
export function KeptOutlet() {
  const page = useOutlet()
  const location = useLocation()
  const { keepAlive = false } = useRouteHandle()
  const [kept, setKept] = useState<readonly Kept[]>([])
  const path = location.pathname
  const known = kept.find((one) => one.path === path)
  if (keepAlive && known?.location !== location) {
    setKept([...kept.filter((one) => one !== known), { path, location, page }])
  }
  return (
    <>
      {kept.map((one) => (
        <Activity key={one.path} mode={one.path === path ? 'visible' : 'hidden'}>
          <Place location={one.location}>{one.page}</Place>
        </Activity>
      ))}
      {!keepAlive && page}
    </>
  )
}

/** A hidden page still sees its own address, not that of the page in front of it. */
function Place({ location, children }: { location: Location; children: ReactNode }) {
  const navigationType = useNavigationType()
  return (
    <UNSAFE_LocationContext.Provider value={{ location, navigationType }}>
      {children}
    </UNSAFE_LocationContext.Provider>
  )
}
