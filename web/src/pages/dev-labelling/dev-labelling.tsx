/** The editor's planes, marks and journal on images of any size, without a server: what `npm run bench -- labelling` measures. */
import { useEffect, useRef } from 'react'
import { startMeasured } from '../../features/labelling/measured/start-measured.ts'
import styles from './dev-labelling.module.css'

/** `?side=10000&brush=50&things=5000` or `?volume=1`; `window.measured` answers. */
export function DevLabelling() {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const end = startMeasured(host.current, new URLSearchParams(location.search))
    return () => void end.then((stop) => stop())
  }, [])
  return <div ref={host} className={styles.planes} />
}
